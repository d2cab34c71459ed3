/** The sound of a notification: two short sine tones. */

/** Frequency in Hz and start in seconds. */
const tones = [
  { hz: 660, at: 0 },
  { hz: 880, at: 0.14 },
] as const;
const toneSeconds = 0.22;
const volume = 0.08;

/** Browsers keep a page silent until the user has used it; then nothing is played. */
export async function playNoticeSound(): Promise<void> {
  const audio = new AudioContext();
  if (audio.state === "suspended" && !navigator.userActivation?.hasBeenActive) return audio.close();
  await audio.resume();
  const ends = tones.map(({ hz, at }) => playTone(audio, hz, audio.currentTime + at));
  await Promise.all(ends);
  await audio.close();
}

function playTone(audio: AudioContext, hz: number, startsAt: number): Promise<void> {
  const tone = new OscillatorNode(audio, { frequency: hz });
  const gain = new GainNode(audio, { gain: 0 });
  gain.gain.setValueAtTime(0, startsAt);
  gain.gain.linearRampToValueAtTime(volume, startsAt + 0.02);
  gain.gain.exponentialRampToValueAtTime(0.001, startsAt + toneSeconds);
  tone.connect(gain).connect(audio.destination);
  tone.start(startsAt);
  tone.stop(startsAt + toneSeconds);
  return new Promise((resolve) => {
    tone.addEventListener("ended", () => resolve(), { once: true });
  });
}
