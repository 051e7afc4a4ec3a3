// Why a talk with a vendor was broken off. What it was about stays owed; nothing in here names a person or holds a token.

/** No answer, too many requests, or an answer that is an excuse: it is tried again later. */
export class VendorAway extends Error {
  readonly reason: 'no_answer' | 'too_many' | 'away';
  /** Not before then, when the vendor said so. */
  readonly againMs: number | undefined;
  constructor(reason: VendorAway['reason'], what: string, againMs?: number) {
    super(what);
    this.reason = reason;
    this.againMs = againMs;
  }
}

/** We may not ask more for now. */
export class OutOfBudget extends Error {
  readonly againMs: number;
  /** So many requests had gone out before. */
  readonly asked: number;
  constructor(againMs: number, asked: number) {
    super('the vendor takes no more requests from us for now');
    this.againMs = againMs;
    this.asked = asked;
  }
}

/** Fewer days are asked for at once from then on. */
export class AnswerTooLarge extends Error {
  constructor() {
    super('the vendor answered more than is read at once');
  }
}

/** The vendor says that this consent is over. Whether it is believed is decided elsewhere. */
export class GrantRefusedByVendor extends Error {
  constructor() {
    super('the vendor does not accept the token any more');
  }
}

/** The vendor does not accept the credentials of this deployment. */
export class CredentialsRefused extends Error {
  constructor(provider: string) {
    super(`${provider} does not accept the credentials of this deployment: check its client id and secret`);
  }
}

/** Another worker has this connection by now, or it has ended: whatever this one still wanted to write does not count. */
export class LeaseLost extends Error {
  constructor() {
    super('another worker has the connection, or it has ended');
  }
}
