// A presenter shows a read in one form of the contract: it parses the query and renders the
// response.

export interface Renderer<Query, Read, Wire> {
  render(read: Read, query: Query): Wire;
}
export interface Presenter<Query, Asked, Read, Wire> extends Renderer<Query, Read, Wire> {
  /** Throws `Failure` for what the form does not support, before anything is read. */
  parse(query: Query): Asked;
}
