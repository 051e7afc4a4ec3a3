// A caller changes settings or the profile, or the user stops sharing, while the writer runs.
import { patchConfiguration } from '../../../../shared/consolidation/configuration.ts';
import { userRows } from '../../../../shared/users/user-rows.ts';
import { updateUser } from '../../../../shared/users/users.ts';
import type { RacedUser, RecordLists } from '../../raced-user.ts';
import type { Scenario } from '../race.ts';
import {
  eveningSteps,
  inUtc,
  lateSteps,
  moveTo,
  nextMorningSteps,
  phone,
  sessions,
  stepsUpload,
  tokyo,
  uploadFrom,
  uploadSerially,
  uploadWithoutProcessing,
  useMaxMethod,
  watch,
} from './scenario-fixtures.ts';

async function prepareWaitingUpload(user: RacedUser): Promise<void> {
  await uploadSerially(user, [watch, eveningSteps]);
  await uploadWithoutProcessing(user, [phone, { ...lateSteps, ...sessions }]);
}
const uploadAndProcess = (user: RacedUser) =>
  uploadSerially(user, [watch, eveningSteps], [phone, { ...lateSteps, ...sessions }]);

const uploadTwoDaysFromTwoDevices = (user: RacedUser) =>
  uploadSerially(
    user,
    [watch, { samples: [...samplesOf(eveningSteps), ...samplesOf(nextMorningSteps)] }],
    [phone, { samples: [...samplesOf(lateSteps), ...samplesOf(stepsUpload('2026-03-11T05:00:00Z', 7))] }],
  );
const samplesOf = ({ samples = [] }: RecordLists): object[] => samples;

const readUser = async ({ deps, id }: RacedUser) => {
  const user = await userRows(deps.store).findById(id);
  if (!user) throw new Error('there is no user');
  return user;
};

export const settingsScenarios: readonly Scenario[] = [
  {
    ...inUtc,
    name: 'the settings change while an upload is processed',
    before: prepareWaitingUpload,
    call: useMaxMethod,
    async replaySerially(user) {
      await uploadAndProcess(user);
      await useMaxMethod(user, user.deps);
    },
  },
  {
    ...inUtc,
    name: 'the settings change while the user moves',
    endsIn: [tokyo],
    async before(user) {
      await uploadAndProcess(user);
      await moveTo(tokyo)(user, user.deps);
    },
    call: useMaxMethod,
    async replaySerially(user) {
      await uploadAndProcess(user);
      await useMaxMethod(user, user.deps);
    },
  },
  {
    ...inUtc,
    name: 'settings take effect',
    async before(user) {
      await uploadTwoDaysFromTwoDevices(user);
      await useMaxMethod(user, user.deps);
    },
    async replaySerially(user) {
      await uploadTwoDaysFromTwoDevices(user);
      await useMaxMethod(user, user.deps);
    },
  },
  {
    ...inUtc,
    name: 'the settings change while an earlier change takes effect',
    async before(user) {
      await uploadAndProcess(user);
      await useMaxMethod(user, user.deps);
    },
    async call({ caller, id }, deps) {
      await patchConfiguration(deps, caller, id, { metrics: { steps: { method: 'sum' } } });
    },
    async replaySerially(user) {
      await uploadAndProcess(user);
      await patchConfiguration(user.deps, user.caller, user.id, { metrics: { steps: { method: 'sum' } } });
    },
  },
  {
    ...inUtc,
    name: 'the profile that scores depend on changes while an upload is processed',
    before: prepareWaitingUpload,
    async call({ caller, id }, deps) {
      await updateUser(deps, caller, id, { profile: { date_of_birth: '1990-05-01', sex: 'female' } });
    },
    async replaySerially(user) {
      await uploadAndProcess(user);
      await updateUser(user.deps, user.caller, user.id, { profile: { date_of_birth: '1990-05-01', sex: 'female' } });
    },
  },
  {
    ...inUtc,
    name: 'an upload arrives while due scores are computed',
    isFenced: true,
    async before(user) {
      await uploadSerially(user, [watch, { ...eveningSteps, ...sessions }]);
      const days = [{ from: '2026-03-09', to: '2026-03-10', dueMs: 0, atOnce: true }];
      const read = await readUser(user);
      const withPendingScores = { ...read, scores: { ...read.scores, days } };
      await user.deps.store.commit([userRows(user.deps.store).buildFinishPass(read, withPendingScores)]);
    },
    call: uploadFrom(phone, lateSteps),
    replaySerially: (user) => uploadSerially(user, [watch, { ...eveningSteps, ...sessions }], [phone, lateSteps]),
  },
  {
    ...inUtc,
    name: 'the user stops sharing while an upload is processed, and shares again later',
    before: prepareWaitingUpload,
    async call(user, { store, clock }) {
      const read = await readUser(user);
      await store.commit([userRows(store).buildUnshare(read, { sinceMs: clock.now(), emailHash: 'somebody' })]);
    },
    async after(user) {
      const read = await readUser(user);
      if (read.status === 'unshared') await user.deps.store.commit([userRows(user.deps.store).buildReshare(read)]);
    },
    isSilent: true,
    replaySerially: uploadAndProcess,
  },
];
