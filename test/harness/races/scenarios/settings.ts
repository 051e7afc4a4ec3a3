// A caller changes settings or the profile, or the person stops sharing, while the writer works.
import { patchConfiguration } from '../../../../shared/consolidation/configuration.ts';
import { userRows } from '../../../../shared/users/user-rows.ts';
import { updateUser } from '../../../../shared/users/users.ts';
import type { RacedUser, Records } from '../../raced-user.ts';
import type { Scenario } from '../race.ts';
import {
  bring,
  evening,
  here,
  inTurn,
  late,
  moveTo,
  nextMorning,
  phone,
  sessions,
  steps,
  tokyo,
  useLargest,
  waiting,
  watch,
} from './cast.ts';

async function uploadWaits(user: RacedUser): Promise<void> {
  await inTurn(user, [watch, evening]);
  await waiting(user, [phone, { ...late, ...sessions }]);
}
const workedIn = (user: RacedUser) => inTurn(user, [watch, evening], [phone, { ...late, ...sessions }]);

const twoDaysOfTwo = (user: RacedUser) =>
  inTurn(
    user,
    [watch, { samples: [...samplesOf(evening), ...samplesOf(nextMorning)] }],
    [phone, { samples: [...samplesOf(late), ...samplesOf(steps('2026-03-11T05:00:00Z', 7))] }],
  );
const samplesOf = ({ samples = [] }: Records): object[] => samples;

const userOf = async ({ deps, id }: RacedUser) => {
  const user = await userRows(deps.store).byId(id);
  if (!user) throw new Error('there is no user');
  return user;
};

export const settings: readonly Scenario[] = [
  {
    ...here,
    name: 'the settings change while an upload is worked in',
    before: uploadWaits,
    call: useLargest,
    async inPeace(user) {
      await workedIn(user);
      await useLargest(user, user.deps);
    },
  },
  {
    ...here,
    name: 'the settings change while the user moves',
    endsIn: [tokyo],
    async before(user) {
      await workedIn(user);
      await moveTo(tokyo)(user, user.deps);
    },
    call: useLargest,
    async inPeace(user) {
      await workedIn(user);
      await useLargest(user, user.deps);
    },
  },
  {
    ...here,
    name: 'settings take effect',
    async before(user) {
      await twoDaysOfTwo(user);
      await useLargest(user, user.deps);
    },
    async inPeace(user) {
      await twoDaysOfTwo(user);
      await useLargest(user, user.deps);
    },
  },
  {
    ...here,
    name: 'the settings change while the ones before take effect',
    async before(user) {
      await workedIn(user);
      await useLargest(user, user.deps);
    },
    async call({ caller, id }, deps) {
      await patchConfiguration(deps, caller, id, { metrics: { steps: { method: 'sum' } } });
    },
    async inPeace(user) {
      await workedIn(user);
      await patchConfiguration(user.deps, user.caller, user.id, { metrics: { steps: { method: 'sum' } } });
    },
  },
  {
    ...here,
    name: 'the profile that scores depend on changes while an upload is worked in',
    before: uploadWaits,
    async call({ caller, id }, deps) {
      await updateUser(deps, caller, id, { profile: { date_of_birth: '1990-05-01', sex: 'female' } });
    },
    async inPeace(user) {
      await workedIn(user);
      await updateUser(user.deps, user.caller, user.id, { profile: { date_of_birth: '1990-05-01', sex: 'female' } });
    },
  },
  {
    ...here,
    name: 'an upload comes while scores are made whose time has come',
    isFenced: true,
    async before(user) {
      await inTurn(user, [watch, { ...evening, ...sessions }]);
      const days = [{ from: '2026-03-09', to: '2026-03-10', dueMs: 0, atOnce: true }];
      const read = await userOf(user);
      const owing = { ...read, scores: { ...read.scores, days } };
      await user.deps.store.commit([userRows(user.deps.store).passing(read, owing)]);
    },
    call: bring(phone, late),
    inPeace: (user) => inTurn(user, [watch, { ...evening, ...sessions }], [phone, late]),
  },
  {
    ...here,
    name: 'the person stops sharing while an upload is worked in, and shares again later',
    before: uploadWaits,
    async call(user, { store, clock }) {
      const read = await userOf(user);
      await store.commit([userRows(store).unsharing(read, { sinceMs: clock.now(), emailHash: 'somebody' })]);
    },
    async after(user) {
      const read = await userOf(user);
      if (read.status === 'unshared') await user.deps.store.commit([userRows(user.deps.store).resharing(read)]);
    },
    isSilent: true,
    inPeace: workedIn,
  },
];
