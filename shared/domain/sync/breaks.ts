// Why a talk with a vendor was broken off on our side. What it was about stays owed; nothing in here names a person or holds a token.
import type { VendorTurn } from '../../store/vendor-limits.ts';

/** We may not ask more for now. */
export class OutOfBudget extends Error {
  readonly againMs: number;
  /** What it then has. */
  readonly turn: VendorTurn;
  constructor(againMs: number, turn: VendorTurn) {
    super('the vendor takes no more requests from us for now');
    this.againMs = againMs;
    this.turn = turn;
  }
}

/** This run has no time left for another request. */
export class OutOfTime extends Error {
  constructor() {
    super('this run has no time left');
  }
}

/** The vendor says that this consent is over. Whether it is believed is decided elsewhere. */
export class TokenRefused extends Error {
  constructor() {
    super('the vendor does not accept the token any more');
  }
}

/** The vendor does not accept what it gave this deployment. */
export class CredentialsRefused extends Error {
  constructor(provider: string) {
    super(`${provider} does not accept the credentials of this deployment. Check its client id and secret.`);
  }
}

/** Another worker has this connection by now, or it has ended: whatever this one still wanted to write does not count. */
export class LeaseLost extends Error {
  constructor() {
    super('another worker has the connection, or it has ended');
  }
}
