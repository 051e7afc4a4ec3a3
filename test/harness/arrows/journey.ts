// One journey that uses every arrow of the map, in steps: whatever happens to a message of a step, the step ends as it would have without.
import { createAccount } from '../../../shared/accounts/accounts.ts';
import { memoryTable } from '../memory-table.ts';
import { iso, pocket, watch } from '../person.ts';
import { openPhone } from '../phone.ts';
import { upload } from '../sdk.ts';
import { arrowTo } from './map-arrows.ts';
import { type Moment, openPostOffice, type PostOffice } from './post-office.ts';
import { good, known, type Step, type Travellers } from './travellers.ts';
import { wearableSteps } from './wearable-steps.ts';

/** At night, when sandbox users sleep, some minutes away from every quarter of an hour, and from midnight in the zones it goes to. */
const startMs = Date.UTC(2026, 2, 10, 2, 37);
export const firstDate = '2026-03-03';
/** The last day that is over. */
export const lastDate = '2026-03-09';

export const receiverUrl = { live: 'http://127.0.0.1:9/live', sandbox: 'http://127.0.0.1:9/sandbox' } as const;

export async function beginJourney(): Promise<{ moment: Moment; who: Travellers }> {
  const office = openPostOffice({ table: memoryTable(), nowMs: startMs, letters: [], mails: [], draws: 0 });
  const account = await createAccount(office.deps, { name: 'a journey', form: 2 });
  const register = async (token: string, url: string): Promise<string> =>
    (await good(office.call('POST', '/v1/webhooks', { token, body: { url, events: ['*'] } }))).body.data.id;
  const liveHook = await register(account.live_key, receiverUrl.live);
  // With two of them a page is looked at once more after they were sent its events.
  await register(account.live_key, `${receiverUrl.live}/other`);
  const sandboxHook = await register(account.sandbox_key, receiverUrl.sandbox);
  return { moment: office.moment(), who: { account, liveHook, sandboxHook, deleted: [] } };
}

const settles = 5;

export const journey: readonly Step[] = [
  {
    name: 'a user comes',
    minutes: settles,
    async act(office, who) {
      who.user = await created(office, who.account.live_key, { profile: { weight_kg: 60 } });
    },
  },
  {
    name: 'a sandbox user comes',
    // A message of the sweep that is lost, too, is sent again five minutes later.
    minutes: 8,
    long: true,
    async act(office, who) {
      who.sandboxUser = await created(office, who.account.sandbox_key, { profile: { sandbox_persona: 'sparse' } });
    },
  },
  {
    name: 'a watch uploads',
    minutes: settles,
    ticks: { [arrowTo.schedule('sweep')]: 0 },
    async act(office, who) {
      who.watchToken = (await openPhone(office, who.account.live_key, known(who.user))).accessToken;
      await uploads(office, who.watchToken, watch, {
        samples: [7, 8, 9].map((day) => steps(day, 1_000 * day)),
        daily: [7, 8].flatMap(stated),
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
    minutes: settles,
    async act(office, who) {
      let failures = 1;
      office.react(() => (failures-- > 0 ? 500 : 204));
      const phone = await openPhone(office, who.account.live_key, known(who.user), 'samsung_health');
      who.pocketToken = phone.accessToken;
      await uploads(office, who.pocketToken, pocket, {
        samples: [8, 9].map((day) => steps(day, 12_000)),
        daily: stated(9),
      });
    },
  },
  {
    name: 'both upload at once, and a run takes long',
    minutes: settles,
    async act(office, who) {
      await uploads(office, who.watchToken, watch, { daily: [fiber(4)] });
      await uploads(office, who.pocketToken, pocket, { daily: [fiber(5)] });
      // A run begins nothing after ten seconds, and wakes the next.
      await office.drainSlowly(1_500);
    },
  },
  {
    name: 'the settings change',
    minutes: settles,
    async act(office, who) {
      const body = { metrics: { steps: { method: 'max' } } };
      await good(office.call('PATCH', path(who, '/consolidation'), { token: who.account.live_key, body }));
    },
  },
  {
    name: 'a device turns out to be of another type',
    minutes: settles,
    async act(office, who) {
      await uploads(office, who.pocketToken, { ...pocket, type: 'wrist' }, { daily: [{ ...fiber(6), value: 12 }] });
    },
  },
  {
    name: 'the profile changes',
    minutes: settles,
    async act(office, who) {
      const body = { profile: { weight_kg: 90 } };
      await good(office.call('PATCH', path(who), { token: who.account.live_key, body }));
    },
  },
  {
    name: 'the user moves',
    minutes: settles,
    async act(office, who) {
      const patch = (body: object) => good(office.call('PATCH', path(who), { token: who.account.live_key, body }));
      // Scores have just been computed then, and those of the moved days wait for their minute.
      await patch({ profile: { date_of_birth: '1990-05-17' } });
      await office.drain();
      await patch({ timezone: 'America/New_York' });
    },
  },
  {
    name: 'a delivery is asked for again',
    minutes: settles,
    async act(office, { account, liveHook }) {
      const deliveries = `/v1/webhooks/${liveHook}/deliveries`;
      const { data } = (await good(office.call('GET', deliveries, { token: account.live_key }))).body;
      await good(office.call('POST', `${deliveries}/${data[0].id}/redeliver`, { token: account.live_key }));
    },
  },
  {
    name: 'a device is disconnected',
    minutes: settles,
    async act(office, who) {
      const { data } = (await good(office.call('GET', path(who, '/devices'), { token: who.account.live_key }))).body;
      const [last] = data.sort(({ connected_at: a }: Connected, { connected_at: b }: Connected) => (a < b ? 1 : -1));
      await good(office.call('DELETE', path(who, `/devices/${last.id}`), { token: who.account.live_key }));
    },
  },
  {
    name: 'it is time for new sandbox data',
    // The hour is over, and the schedule has come by more than once since.
    minutes: 65,
    ticks: { [arrowTo.schedule('feed-sandbox')]: 1 },
    async act() {},
  },
  ...wearableSteps,
  {
    name: 'the person is invited into the team',
    minutes: settles,
    async act(office, { account, user }) {
      const body = { email: 'somebody@example.com', user_id: known(user) };
      await good(office.call('POST', '/v1/team/roster/invitations', { token: account.live_key, body }));
    },
  },
  {
    // A step of its own: two moves that come together may be carried out, and announced, as one.
    name: 'the user has no zone any more',
    minutes: settles,
    async act(office, who) {
      await good(office.call('PATCH', path(who), { token: who.account.live_key, body: { timezone: null } }));
    },
  },
  {
    name: 'the person joins',
    minutes: settles,
    async act(office) {
      const link = /\/join\/[\w-]+/.exec(office.mails.at(-1)?.text ?? '')?.[0];
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      await good(office.call('POST', known(link), { raw: 'time_zone=America%2FNew_York', headers }));
    },
  },
  {
    name: 'the user is deleted',
    minutes: settles,
    async act(office, who) {
      await good(office.call('DELETE', path(who), { token: who.account.live_key }));
      who.deleted = [...who.deleted, known(who.user)];
      delete who.user;
    },
  },
  {
    name: 'a webhook is deleted',
    minutes: settles,
    async act(office, { account, liveHook }) {
      await good(office.call('DELETE', `/v1/webhooks/${liveHook}`, { token: account.live_key }));
    },
  },
];

type Connected = { connected_at: string };

const path = ({ user }: Travellers, rest = ''): string => `/v1/users/${known(user)}${rest}`;

const created = async (office: PostOffice, token: string, body: object): Promise<string> =>
  (await good(office.call('POST', '/v1/users', { token, body: { timezone: 'UTC', ...body } }))).body.id;

async function uploads(office: PostOffice, token: string | undefined, device: object, lists: object): Promise<void> {
  const told = await good(upload(office, known(token), { time_zone: 'UTC', device, ...lists }));
  if (told.body.rejected.length > 0) throw new Error(`not taken in: ${told.text}`);
}

const steps = (day: number, value: number) => ({
  metric: 'steps',
  // The day before in New York.
  start: iso(Date.UTC(2026, 2, day, 2)),
  end: iso(Date.UTC(2026, 2, day, 3)),
  value,
  unit: 'count',
});
const fiber = (day: number) => ({ date: `2026-03-0${day}`, metric: 'fiber', value: 20 + day, unit: 'g' });
const stated = (day: number) => {
  const date = `2026-03-0${day}`;
  return [
    fiber(day),
    { date, metric: 'dietary_energy', value: 2100 + day, unit: 'kcal' },
    { date, metric: 'protein', value: 90 - day, unit: 'g' },
    { date, metric: 'sugar', value: 80, unit: 'g' },
    { date, metric: 'sodium', value: 2300, unit: 'mg' },
  ];
};
