// Runs a scenario against the service and the model at the same time, and reports where they
// differ.

import { checkExplanations, checkPreview } from '../harness/check-explanations.ts';
import { openPhone, type Phone } from '../harness/phone.ts';
import type { ApiResponse } from '../harness/send-request.ts';
import type { System } from '../harness/system.ts';
import { checkReads, type WrongRead } from './check-reads.ts';
import { drainBarrier } from './drain-barrier.ts';
import { expectedRebuild, rebuildMismatches, withNextCalendar, zoneFillMismatches } from './expected-rebuild.ts';
import { readNewRebuilds } from './feed.ts';
import {
  applyProfile,
  applySettings,
  applyUpload,
  canApplySettings,
  disconnectDevice,
  findDevice,
  newModelUser,
  resetSettings,
} from './model-user.ts';
import {
  countRecords,
  isQuiet,
  type Provider,
  type Scenario,
  type ScenarioEvent,
  type WireUpload,
} from './scenario.ts';
import type { ScenarioRun } from './scenario-run.ts';
import { createView } from './view.ts';

export interface ScenarioResult {
  scenario: Scenario;
  /**
   * The reads that differ, with their differences. Empty if the service always agrees with the
   * model.
   */
  wrong: WrongRead[];
}

/** Runs the scenarios concurrently, so that they can wait for the service together. */
export async function runScenarios(system: System, scenarios: readonly Scenario[]): Promise<ScenarioResult[]> {
  const barrier = drainBarrier(scenarios.length, async () => {
    await system.host.drain();
    // Work that conflicted with other work of the same user is retried a few seconds later.
    system.clock.advance(10_000);
    await system.host.drain();
  });
  return Promise.all(
    scenarios.map(async (scenario) => {
      try {
        return { scenario, wrong: await runScenario(system, scenario, barrier.settle) };
      } finally {
        barrier.leave();
      }
    }),
  );
}

async function runScenario(
  system: System,
  scenario: Scenario,
  settle: () => Promise<void>,
): Promise<ScenarioResult['wrong']> {
  const { account_id, live_key: key } = await system.account();
  const form1Key = await system.form1Key(account_id);
  const userId = await system.user(key, scenario.profile);
  const user = newModelUser(scenario.profile.timezone ?? null, scenario.profile.day_rule);
  const run: ScenarioRun = { system, key, form1Key, userId, user, scenario, feedCursor: null, settle };
  const phones = new Map<Provider, Phone>();
  for (const [at, event] of scenario.events.entries()) {
    system.clock.advance(2_000);
    const where = `${event.kind}, event ${at}`;
    const wrong = event.kind === 'look' ? await checkNow(run, false) : await applyAndCheckFeed(run, phones, event);
    if (wrong.length > 0) return wrong.map(({ read, mismatches }) => ({ read: `${read} (${where})`, mismatches }));
  }
  const wrong = await checkNow(run, true);
  if (wrong.length > 0) return wrong;
  const providers = [...new Set(user.devices.map(({ provider }) => provider))];
  const { from, to, seed } = scenario;
  const checked = { system, key, userId, from, to, seed, providers };
  const mismatches = [...(await checkExplanations(checked)), ...(await checkPreview(checked, settle))];
  return mismatches.length > 0 ? [{ read: 'explanations and previews', mismatches }] : [];
}

async function checkNow(run: ScenarioRun, everything: boolean) {
  await run.settle();
  await readDeviceIds(run);
  return checkReads(run, everything);
}

type MutatingEvent = Exclude<ScenarioEvent, { kind: 'look' }>;

/** After a quiet calendar change, the feed must announce its rebuild. */
async function applyAndCheckFeed(
  run: ScenarioRun,
  phones: Map<Provider, Phone>,
  event: MutatingEvent,
): Promise<WrongRead[]> {
  const next = isQuiet(event) ? withNextCalendar(run.user, event) : null;
  if (!next) return applyEvent(run, phones, event);
  await run.settle();
  await readNewRebuilds(run);
  const expected = expectedRebuild(createView(run.user), createView(next), run.scenario);
  const maxEvents = changesDeviceType(run.user, event) ? 2 : 1;
  const wrong = await applyEvent(run, phones, event);
  if (wrong.length > 0) return wrong;
  await run.settle();
  const events = await readNewRebuilds(run);
  const mismatches =
    event.kind === 'upload'
      ? zoneFillMismatches(expected, event.body, events, maxEvents)
      : rebuildMismatches(expected, run.userId, events);
  return mismatches.length > 0 ? [{ read: 'GET /v1/events', mismatches }] : [];
}

/**
 * In that case the days are also merged again for the device's new rank, which causes a separate
 * event.
 */
function changesDeviceType(user: ScenarioRun['user'], event: MutatingEvent): boolean {
  if (event.kind !== 'upload') return false;
  const { model, type } = event.body.device;
  const known = findDevice(user, event.provider, model);
  return known !== undefined && known.type !== type;
}

async function applyEvent(run: ScenarioRun, phones: Map<Provider, Phone>, event: MutatingEvent): Promise<WrongRead[]> {
  const { system, key, userId, user } = run;
  const call = (method: string, path: string, body?: unknown): Promise<ApiResponse> =>
    system.call(method, `/v1/users/${userId}${path}`, { token: key, ...(body === undefined ? {} : { body }) });
  const failure = (response: ApiResponse, expected: unknown): WrongRead[] => [
    { read: 'an answer', mismatches: [{ where: 'answer', got: `${response.status} ${response.text}`, expected }] },
  ];
  switch (event.kind) {
    case 'drain':
      await run.settle();
      return [];
    case 'upload': {
      const phone = phones.get(event.provider) ?? (await openPhone(system, key, userId, event.provider));
      phones.set(event.provider, phone);
      const response = await phone.upload(event.body);
      const { accepted, rejected } = response.body;
      if (response.status !== 202 || accepted !== countRecords(event.body) || rejected.length > 0)
        return failure(response, `${countRecords(event.body)} records accepted`);
      await recordUpload(run, event.provider, event.body);
      return [];
    }
    case 'profile': {
      const response = await call('PATCH', '', event.patch);
      applyProfile(user, event.patch);
      return response.status === 200 ? [] : failure(response, 200);
    }
    case 'settings': {
      if (!canApplySettings(user, event.patch)) return [];
      const response = await call('PATCH', '/consolidation', event.patch);
      applySettings(user, event.patch);
      return response.status === 202 ? [] : failure(response, 202);
    }
    case 'reset': {
      const response = await call('DELETE', '/consolidation');
      resetSettings(user);
      return response.status === 202 ? [] : failure(response, 202);
    }
    case 'disconnect': {
      const device = findDevice(user, event.provider, event.model);
      if (!device) return [];
      const response = await call('DELETE', `/devices/${device.id}`);
      disconnectDevice(user, device);
      // Disconnecting a device also ends the session of its phone, so the next upload needs a new
      // one.
      phones.delete(event.provider);
      return response.status === 204 ? [] : failure(response, 204);
    }
  }
}

async function recordUpload(run: ScenarioRun, provider: Provider, body: WireUpload): Promise<void> {
  applyUpload(run.user, provider, body);
  await readDeviceIds(run);
}

/**
 * Fetches the ids of new devices. The list does not contain models, so there must be at most one
 * new device at a time.
 */
async function readDeviceIds({ system, key, userId, user }: ScenarioRun): Promise<void> {
  const unnamed = user.devices.filter(({ id }) => id === '');
  if (unnamed.length === 0) return;
  const response = await system.call('GET', `/v1/users/${userId}/devices`, { token: key });
  const listed: { id: string; connected_at: string }[] = response.body.data;
  const known = new Set(user.devices.map(({ id }) => id));
  const fresh = listed.filter(({ id }) => !known.has(id));
  const [device] = unnamed;
  const [row] = fresh;
  if (!device || !row || fresh.length > 1) throw new Error(`expected one new device: ${response.text}`);
  device.id = row.id;
  device.connectedAt = Date.parse(row.connected_at);
}
