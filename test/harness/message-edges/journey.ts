// One journey that uses every edge of the function manifest, in steps. A fault in any message of a
// step must not change how the step ends.
import { createAccount } from '../../../shared/accounts/accounts.ts';
import { createColleague } from '../../../shared/console/colleagues.ts';
import { asBrowser, ownPage, readSetCookie } from '../console-session.ts';
import { memoryTable } from '../memory-table.ts';
import { openPhone } from '../phone.ts';
import { upload } from '../sdk.ts';
import { iso, phoneDevice, watch } from '../test-user.ts';
import { expectSuccess, type JourneyState, required, type Step } from './journey-step.ts';
import { edgeTo } from './manifest-edges.ts';
import { openSimulatedSystem, type SimulatedSystem, type Snapshot } from './simulated-system.ts';
import { wearableSteps } from './wearable-steps.ts';

/**
 * At night, when sandbox users sleep, a few minutes away from every quarter of an hour and from
 * midnight in the time zones that the user moves to.
 */
const startMs = Date.UTC(2026, 2, 10, 2, 37);
export const firstDate = '2026-03-03';
/** The last completed day. */
export const lastDate = '2026-03-09';

export const receiverUrl = { live: 'http://127.0.0.1:9/live', sandbox: 'http://127.0.0.1:9/sandbox' } as const;

export async function beginJourney(): Promise<{ moment: Snapshot; who: JourneyState }> {
  const system = openSimulatedSystem({
    table: memoryTable(),
    nowMs: startMs,
    webhookRequests: [],
    emails: [],
    randomDraws: 0,
  });
  const account = await createAccount(system.deps, { name: 'a journey', form: 2 });
  const register = async (token: string, url: string): Promise<string> =>
    (await expectSuccess(system.call('POST', '/v1/webhooks', { token, body: { url, events: ['*'] } }))).body.data.id;
  const liveHook = await register(account.live_key, receiverUrl.live);
  // With two endpoints, a page is rechecked after its events were sent to them.
  await register(account.live_key, `${receiverUrl.live}/other`);
  const sandboxHook = await register(account.sandbox_key, receiverUrl.sandbox);
  return { moment: system.snapshot(), who: { account, liveHook, sandboxHook, deleted: [] } };
}

const settleMinutes = 5;

export const journey: readonly Step[] = [
  {
    name: 'a user is created',
    minutes: settleMinutes,
    async act(system, state) {
      state.user = await createUser(system, state.account.live_key, { profile: { weight_kg: 60 } });
    },
  },
  {
    name: 'a sandbox user is created',
    // If a message of the sweep is lost too, it is sent again five minutes later.
    minutes: 8,
    isLong: true,
    async act(system, state) {
      state.sandboxUser = await createUser(system, state.account.sandbox_key, {
        profile: { sandbox_persona: 'sparse' },
      });
    },
  },
  {
    name: 'a watch uploads',
    minutes: settleMinutes,
    ticks: { [edgeTo.schedule('sweep')]: 0 },
    async act(system, state) {
      state.watchPhoneToken = (await openPhone(system, state.account.live_key, required(state.user))).accessToken;
      await uploadRecords(system, state.watchPhoneToken, watch, {
        samples: [7, 8, 9].map((day) => stepsSample(day, 1_000 * day)),
        daily: [7, 8].flatMap(nutritionTotals),
        sleep: [7, 8, 9].map((day) => ({
          start: iso(Date.UTC(2026, 2, day)),
          end: iso(Date.UTC(2026, 2, day, 7)),
          asleep_minutes: 400 + day,
          deep_minutes: 90,
          rem_minutes: 80,
        })),
      });
    },
  },
  {
    name: 'a phone uploads while the receiver is away',
    minutes: settleMinutes,
    async act(system, state) {
      let failures = 1;
      system.respondWith(() => (failures-- > 0 ? 500 : 204));
      const phone = await openPhone(system, state.account.live_key, required(state.user), 'samsung_health');
      state.otherPhoneToken = phone.accessToken;
      await uploadRecords(system, state.otherPhoneToken, phoneDevice, {
        samples: [8, 9].map((day) => stepsSample(day, 12_000)),
        daily: nutritionTotals(9),
      });
    },
  },
  {
    name: 'both upload at once, and a run takes long',
    minutes: settleMinutes,
    async act(system, state) {
      await uploadRecords(system, state.watchPhoneToken, watch, { daily: [fiberTotal(4)] });
      await uploadRecords(system, state.otherPhoneToken, phoneDevice, { daily: [fiberTotal(5)] });
      // A run starts no new work after ten seconds, and wakes the next run.
      await system.drainSlowly(1_500);
    },
  },
  {
    name: 'the settings change',
    minutes: settleMinutes,
    async act(system, state) {
      const body = { metrics: { steps: { method: 'max' } } };
      await expectSuccess(system.call('PATCH', path(state, '/consolidation'), { token: state.account.live_key, body }));
    },
  },
  {
    name: 'a device turns out to be of another type',
    minutes: settleMinutes,
    async act(system, state) {
      await uploadRecords(
        system,
        state.otherPhoneToken,
        { ...phoneDevice, type: 'wrist' },
        { daily: [{ ...fiberTotal(6), value: 12 }] },
      );
    },
  },
  {
    name: 'the profile changes',
    minutes: settleMinutes,
    async act(system, state) {
      const body = { profile: { weight_kg: 90 } };
      await expectSuccess(system.call('PATCH', path(state), { token: state.account.live_key, body }));
    },
  },
  {
    name: 'the user moves',
    minutes: settleMinutes,
    async act(system, state) {
      const patch = (body: object) =>
        expectSuccess(system.call('PATCH', path(state), { token: state.account.live_key, body }));
      // The scores have just been computed, so those of the moved days wait for their next minute.
      await patch({ profile: { date_of_birth: '1990-05-17' } });
      await system.drain();
      await patch({ timezone: 'America/New_York' });
    },
  },
  {
    name: 'a delivery is sent again on request',
    minutes: settleMinutes,
    async act(system, { account, liveHook }) {
      const deliveries = `/v1/webhooks/${liveHook}/deliveries`;
      const { data } = (await expectSuccess(system.call('GET', deliveries, { token: account.live_key }))).body;
      await expectSuccess(system.call('POST', `${deliveries}/${data[0].id}/redeliver`, { token: account.live_key }));
    },
  },
  {
    name: 'a device is disconnected',
    // A wearable of the sandbox is polled a moment later, and the sweep finds what that wakes.
    minutes: 10,
    hasBundledEvents: true,
    async act(system, state) {
      const { data } = (
        await expectSuccess(system.call('GET', path(state, '/devices'), { token: state.account.live_key }))
      ).body;
      const [last] = data.sort(({ connected_at: a }: Connected, { connected_at: b }: Connected) => (a < b ? 1 : -1));
      await expectSuccess(system.call('DELETE', path(state, `/devices/${last.id}`), { token: state.account.live_key }));
    },
  },
  {
    name: 'it is time for new sandbox data',
    // The hour is over, and the schedule has run more than once since.
    minutes: 65,
    ticks: { [edgeTo.schedule('feed-sandbox')]: 1 },
    async act() {},
  },
  ...wearableSteps,
  {
    name: 'the person is invited into the team',
    minutes: settleMinutes,
    async act(system, { account, user }) {
      const body = { email: 'somebody@example.com', user_id: required(user) };
      await expectSuccess(system.call('POST', '/v1/team/roster/invitations', { token: account.live_key, body }));
    },
  },
  {
    // A separate step, because two moves at the same time may be processed and announced as one.
    name: 'the user has no zone any more',
    minutes: settleMinutes,
    async act(system, state) {
      await expectSuccess(
        system.call('PATCH', path(state), { token: state.account.live_key, body: { timezone: null } }),
      );
    },
  },
  {
    name: 'the person joins',
    minutes: settleMinutes,
    async act(system) {
      const link = /\/join\/[\w-]+/.exec(system.emails.at(-1)?.text ?? '')?.[0];
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      await expectSuccess(system.call('POST', required(link), { raw: 'time_zone=America%2FNew_York', headers }));
    },
  },
  {
    name: 'an owner requests a link to the console',
    minutes: settleMinutes,
    async act(system, { account }) {
      await createColleague(system.deps, account.account_id, { email: 'owner@example.com', role: 'owner' });
      const body = { email: 'owner@example.com' };
      await expectSuccess(system.call('POST', '/console/api/sign-in/links', { body, headers: ownPage }));
    },
  },
  {
    name: 'the owner invites a colleague',
    minutes: settleMinutes,
    async act(system) {
      const secret = required(/#([\w-]+)/.exec(system.emails.at(-1)?.text ?? '')?.[1]);
      const signedIn = await expectSuccess(
        system.call('POST', '/console/api/sign-in/sessions', { body: { secret }, headers: ownPage }),
      );
      const headers = asBrowser(readSetCookie(signedIn.headers));
      const body = { email: 'support@example.com', role: 'support' };
      await expectSuccess(system.call('POST', '/console/api/colleagues', { body, headers }));
    },
  },
  {
    name: 'a sandbox user with a long history is created',
    minutes: 8,
    isLong: true,
    hasBundledEvents: true,
    async act(system, state) {
      state.sandboxUser = await createUser(system, state.account.sandbox_key, {
        // One day more than fits the first step of the history.
        profile: { sandbox_persona: 'sparse', sandbox_days: 42 },
      });
    },
  },
  {
    name: 'the user is deleted',
    // A wearable of the sandbox is polled while late messages arrive.
    hasBundledEvents: true,
    minutes: settleMinutes,
    async act(system, state) {
      await expectSuccess(system.call('DELETE', path(state), { token: state.account.live_key }));
      state.deleted = [...state.deleted, required(state.user)];
      delete state.user;
    },
  },
  {
    name: 'a webhook is deleted',
    minutes: settleMinutes,
    async act(system, { account, liveHook }) {
      await expectSuccess(system.call('DELETE', `/v1/webhooks/${liveHook}`, { token: account.live_key }));
    },
  },
];

type Connected = { connected_at: string };

const path = ({ user }: JourneyState, rest = ''): string => `/v1/users/${required(user)}${rest}`;

const createUser = async (system: SimulatedSystem, token: string, body: object): Promise<string> =>
  (await expectSuccess(system.call('POST', '/v1/users', { token, body: { timezone: 'UTC', ...body } }))).body.id;

async function uploadRecords(
  system: SimulatedSystem,
  token: string | undefined,
  device: object,
  lists: object,
): Promise<void> {
  const response = await expectSuccess(upload(system, required(token), { time_zone: 'UTC', device, ...lists }));
  if (response.body.rejected.length > 0) throw new Error(`rejected: ${response.text}`);
}

const stepsSample = (day: number, value: number) => ({
  metric: 'steps',
  // Falls on the previous day in New York.
  start: iso(Date.UTC(2026, 2, day, 2)),
  end: iso(Date.UTC(2026, 2, day, 3)),
  value,
  unit: 'count',
});
const fiberTotal = (day: number) => ({ date: `2026-03-0${day}`, metric: 'fiber', value: 20 + day, unit: 'g' });
const nutritionTotals = (day: number) => {
  const date = `2026-03-0${day}`;
  return [
    fiberTotal(day),
    { date, metric: 'dietary_energy', value: 2100 + day, unit: 'kcal' },
    { date, metric: 'protein', value: 90 - day, unit: 'g' },
    { date, metric: 'sugar', value: 80, unit: 'g' },
    { date, metric: 'sodium', value: 2300, unit: 'mg' },
  ];
};
