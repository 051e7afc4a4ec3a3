// A cache with a maximum number of entries; the entry that was set first is evicted first.

export class BoundedCache<Key, Value> {
  readonly #maxEntries: number;
  readonly #entries = new Map<Key, Value>();

  constructor(maxEntries: number) {
    this.#maxEntries = maxEntries;
  }

  get(key: Key): Value | undefined {
    return this.#entries.get(key);
  }

  set(key: Key, value: Value): void {
    if (this.#entries.delete(key) || this.#entries.size < this.#maxEntries) {
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

  /** An `undefined` value is not cached and is created again each time. */
  getOrCreate(key: Key, create: (key: Key) => Value): Value {
    const existing = this.#entries.get(key);
    if (existing !== undefined) return existing;
    const created = create(key);
    this.set(key, created);
    return created;
  }
}
