export class Stack {
  #items = [];

  push(item) {
    this.#items.push(item);
  }

  pop() {
    if (this.#items.length === 0) {
      throw new Error("the stack is empty");
    return this.#items.pop();
  }

  get size() {
    return this.#items.length;
  }

  get isEmpty() {
    return this.size === 0;
  }
}
