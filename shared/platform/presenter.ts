// A face is how one form of the contract shows a read: what its query asks the verb for, and what it answers with.

export interface Presenter<Query, Read, Wire> {
  present(read: Read, query: Query): Wire;
}
export interface Face<Query, Asked, Read, Wire> extends Presenter<Query, Read, Wire> {
  /** Throws `Failure` for what the form does not serve, before anything is read. */
  asked(query: Query): Asked;
}
