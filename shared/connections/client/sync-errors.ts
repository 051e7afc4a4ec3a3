// The errors that stop a sync. The work stays pending. No error names a user or contains a token.
import { LostRace } from '../../platform/lost-race.ts';
import type { ProviderTurn } from '../provider-limit-rows.ts';

/** The request budget is exhausted for now. */
export class OutOfBudget extends Error {
  readonly retryAtMs: number;
  /** The turn that the connection has when it retries. */
  readonly turn: ProviderTurn;
  constructor(retryAtMs: number, turn: ProviderTurn) {
    super('the request budget for the provider is exhausted for now');
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

/**
 * The provider reports that the consent has ended. `handleRefusedToken` decides whether to trust
 * it.
 */
export class TokenRefused extends Error {
  constructor() {
    super('the provider no longer accepts the token');
  }
}

/** The provider refuses this deployment's credentials. */
export class CredentialsRefused extends Error {
  constructor(provider: string) {
    super(`${provider} does not accept the credentials of this deployment. Check its client id and secret.`);
  }
}

/**
 * Another run has committed, the connection has ended, or its user stopped sharing. The remaining
 * writes of this run are void.
 */
export class Superseded extends LostRace {
  constructor() {
    super('the connection has changed since this run read it');
  }
}
