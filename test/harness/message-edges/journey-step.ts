// The participants of the journey through the edges of the function manifest, and the shape of its
// steps.
import type { NewAccount } from '../../../shared/accounts/accounts.ts';
import type { ApiResponse } from '../send-request.ts';
import type { SimulatedSystem } from './simulated-system.ts';

/** The ids and tokens that the journey has created so far. */
export interface JourneyState {
  account: NewAccount;
  liveHook: string;
  sandboxHook: string;
  user?: string;
  sandboxUser?: string;
  /** The token of the phone that the watch belongs to, and of another phone. */
  watchPhoneToken?: string;
  otherPhoneToken?: string;
  deleted: string[];
}
export interface Step {
  name: string;
  act(system: SimulatedSystem, state: JourneyState): Promise<void>;
  /** How long it takes until everything that was lost is recovered. */
  minutes: number;
  /** For each schedule, the tick of the step that gets a fault, counted from 0. */
  ticks?: Record<string, number>;
  /**
   * Much data arrives at once, and the ring's next hour may arrive in between, so the number of
   * events varies. Their content is checked through the days.
   */
  hasBundledEvents?: true;
  /** The step takes long, so only the first message of each edge gets a fault. */
  isLong?: true;
}

export const required = (id: string | undefined): string => {
  if (id === undefined) throw new Error('the journey has not reached that step');
  return id;
};

export async function expectSuccess(pendingResponse: Promise<ApiResponse>): Promise<ApiResponse> {
  const response = await pendingResponse;
  if (response.status >= 400) throw new Error(`expected success, got ${response.status}: ${response.text}`);
  return response;
}
