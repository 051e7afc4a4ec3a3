// A body that is already JSON text. Where building the text directly is worth it, the response is
// still typed by what the text contains.

export class JsonText<T> {
  readonly text: string;
  /** Never set: it only carries the type. */
  declare readonly phantomType: T;
  constructor(text: string) {
    this.text = text;
  }
}
