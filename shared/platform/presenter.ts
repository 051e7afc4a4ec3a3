// A face is how one form of the contract shows a read: what its query asks the verb for, and what it answers with.

export interface Renderer<Query, Read, Wire> {
  render(read: Read, query: Query): Wire;
}
export interface Presenter<Query, Asked, Read, Wire> extends Renderer<Query, Read, Wire> {
  /** Throws `Failure` for what the form does not serve, before anything is read. */
  parse(query: Query): Asked;
}
