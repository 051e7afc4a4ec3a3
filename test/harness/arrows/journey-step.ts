// Who takes part in the journey over the map's arrows, and how its steps are made.
import type { NewAccount } from '../../../shared/accounts/accounts.ts';
import type { ApiResponse } from '../send-request.ts';
import type { SimulatedSystem } from './simulated-system.ts';

/** Everybody the journey has met so far. */
export interface JourneyState {
  account: NewAccount;
  liveHook: string;
  sandboxHook: string;
  user?: string;
  sandboxUser?: string;
  /** Of the phone that the watch belongs to, and of another one. */
  watchPhoneToken?: string;
  otherPhoneToken?: string;
  deleted: string[];
}
export interface Step {
  name: string;
  act(system: SimulatedSystem, state: JourneyState): Promise<void>;
  /** Until everything that was lost has been found. */
  minutes: number;
  /** Of each schedule, which tick of the step is worth a fault, counted from 0. */
  ticks?: Record<string, number>;
  /** Much comes at once, and the ring's next hour may come in between: how many events tell of it differs, and what they tell is seen in the days. */
  hasBundledEvents?: true;
  /** It takes long: only the first message of each arrow is worth a fault. */
  isLong?: true;
}

export const required = (id: string | undefined): string => {
  if (id === undefined) throw new Error('the journey has not come that far');
  return id;
};

export async function expectSuccess(pendingResponse: Promise<ApiResponse>): Promise<ApiResponse> {
  const response = await pendingResponse;
  if (response.status >= 400) throw new Error(`expected success, got ${response.status}: ${response.text}`);
  return response;
}
