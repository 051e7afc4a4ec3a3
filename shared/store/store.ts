// The single table as the domain sees it: one repository per noun, and one way to commit their writes together.
import type { Clock, Table, Write } from '../engine/ports.ts';
import { accountRows } from './accounts.ts';
import { apiKeyRows } from './api-keys.ts';
import { batchRows } from './batches.ts';
import { dayRows } from './days.ts';
import { deliveryRows } from './deliveries.ts';
import { deviceRows } from './devices.ts';
import { erasureRows } from './erasure.ts';
import { eventRows } from './events.ts';
import { feedRows } from './feed.ts';
import { ingestClaimRows } from './ingest-claims.ts';
import { mobileTokenRows } from './mobile-tokens.ts';
import { owedRows } from './owed.ts';
import { rezoningRows } from './rezonings.ts';
import { sampleRows } from './samples.ts';
import { scoreRows } from './scores.ts';
import { sdkSessionRows } from './sdk-sessions.ts';
import { seedRows } from './seeds.ts';
import { sessionRows } from './sessions.ts';
import { signingKeyRows } from './signing-keys.ts';
import { stateRows } from './states.ts';
import { userTokenBuckets } from './user-tokens.ts';
import { userRows } from './users.ts';
import { webhookRows } from './webhooks.ts';

export function openStore(table: Table, clock: Clock) {
  return {
    accounts: accountRows(table),
    apiKeys: apiKeyRows(table, clock),
    batches: batchRows(table),
    days: dayRows(table),
    deliveries: deliveryRows(table),
    devices: deviceRows(table),
    erasure: erasureRows(table),
    events: eventRows(table),
    feed: feedRows(table),
    ingestClaims: ingestClaimRows(table),
    mobileTokens: mobileTokenRows(table),
    owed: owedRows(table),
    rezonings: rezoningRows(table),
    samples: sampleRows(table),
    scores: scoreRows(table),
    sdkSessions: sdkSessionRows(table, clock),
    seeds: seedRows(table),
    sessions: sessionRows(table),
    signingKeys: signingKeyRows(table),
    states: stateRows(table),
    userTokens: userTokenBuckets(table, clock),
    users: userRows(table),
    webhooks: webhookRows(table),
    /** All of it or nothing: a change and the event that tells of it go out together. */
    commit: (writes: Write[]): Promise<void> => table.transact(writes),
  };
}
export type Store = ReturnType<typeof openStore>;
