// Why a sync cannot go on. What it was about stays due; nothing in here names a person or holds a token.
import type { ProviderTurn } from '../provider-limit-rows.ts';

/** We may not ask more for now. */
export class OutOfBudget extends Error {
  readonly retryAtMs: number;
  /** What it then has. */
  readonly turn: ProviderTurn;
  constructor(retryAtMs: number, turn: ProviderTurn) {
    super('the vendor takes no more requests from us for now');
    this.retryAtMs = retryAtMs;
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

/** Another run has committed, the connection has ended, or its person stopped sharing: what this run still has to write does not count. */
export class Superseded extends Error {
  constructor() {
    super('the connection has changed since this run read it');
  }
}
