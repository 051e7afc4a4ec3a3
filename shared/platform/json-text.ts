// A body that is already JSON: where making the text directly is worth it, the answer is still typed by what the text says.

export class JsonText<T> {
  readonly text: string;
  /** Never there: it only carries the type. */
  declare readonly phantomType: T;
  constructor(text: string) {
    this.text = text;
  }
}
