// Runs in the page before its own scripts: records when Enter was pressed, when stamped tokens and a mark reached the
// DOM, and long tasks. All times are ms since 1970 with fractions, on the clock the scripted model stamps with.
{
  const epoch = (time) => performance.timeOrigin + time;
  const probe = { enterAt: 0, mark: "", markAt: 0, arrivals: [], longTasks: [], newest: 0 };
  let marked = Promise.resolve();
  let resolveMarked = () => {};
  const arm = (mark) => {
    Object.assign(probe, { enterAt: 0, mark, markAt: 0, arrivals: [], longTasks: [] });
    marked = new Promise((resolve) => {
      resolveMarked = () => resolve({ ...probe });
    });
  };
  // arm(mark) clears all records; marked() resolves with everything recorded once the mark is on screen.
  Object.defineProperty(window, "benchProbe", { value: { arm, marked: () => marked } });

  addEventListener(
    "keydown",
    (event) => {
      if (event.key === "Enter") probe.enterAt = epoch(event.timeStamp);
    },
    true,
  );

  const read = (text) => {
    for (const [, tenths] of text.matchAll(/q(\d{14})q/g)) {
      const stamp = Number(tenths) / 10;
      if (stamp <= probe.newest) continue;
      probe.newest = stamp;
      probe.arrivals.push([stamp, epoch(performance.now())]);
    }
    if (probe.mark !== "" && probe.markAt === 0 && text.includes(probe.mark)) {
      probe.markAt = -1;
      // Waits for the frame that shows it, not only for the change of the document.
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => {
          probe.markAt = epoch(performance.now());
          resolveMarked();
        };
        port2.postMessage(null);
      });
    }
  };
  new MutationObserver((records) => {
    for (const { type, target, addedNodes } of records) {
      if (type === "characterData") read(target.data);
      else for (const node of addedNodes) read(node.textContent ?? "");
    }
  }).observe(document, { childList: true, characterData: true, subtree: true });

  new PerformanceObserver((list) => {
    for (const task of list.getEntries()) probe.longTasks.push(task.duration);
  }).observe({ type: "longtask", buffered: true });
}
