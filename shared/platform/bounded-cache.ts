// Keeps what is costly to find again, up to a number of entries: the one that was set longest ago goes first.

export class BoundedCache<Key, Value> {
  readonly #most: number;
  readonly #entries = new Map<Key, Value>();

  constructor(most: number) {
    this.#most = most;
  }

  get(key: Key): Value | undefined {
    return this.#entries.get(key);
  }

  set(key: Key, value: Value): void {
    if (this.#entries.delete(key) || this.#entries.size < this.#most) {
      this.#entries.set(key, value);
      return;
    }
    for (const oldest of this.#entries.keys()) {
      this.#entries.delete(oldest);
      break;
    }
    this.#entries.set(key, value);
  }

  delete(key: Key): void {
    this.#entries.delete(key);
  }

  /** A value that is `undefined` is made again each time. */
  getOrMake(key: Key, make: (key: Key) => Value): Value {
    const known = this.#entries.get(key);
    if (known !== undefined) return known;
    const made = make(key);
    this.set(key, made);
    return made;
  }
}
