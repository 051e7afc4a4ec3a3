import { describe, expect, test } from 'vitest';
import { beginJourney, journey } from '../../harness/arrows/journey.ts';
import { everyArrow } from '../../harness/arrows/map-arrows.ts';
import { outcomeOf } from '../../harness/arrows/outcome.ts';
import { type Fate, type Fault, type Message, type Moment, openPostOffice } from '../../harness/arrows/post-office.ts';
import type { Step, Travellers } from '../../harness/arrows/travellers.ts';

const fates: readonly Fate[] = ['drop', 'double', 'late'];
/** What came late is worked in by then. */
const minutesAfterLate = 3;

async function runStep(step: Step, from: Moment, before: Travellers, faults: readonly Fault[] = []) {
  const office = openPostOffice(from, faults);
  const who = { ...before };
  await step.act(office, who);
  await office.pass(step.minutes);
  if (faults.some(({ fate }) => fate === 'late')) {
    office.releaseLate();
    await office.pass(minutesAfterLate);
  }
  return { office, who, outcome: await outcomeOf(office, who) };
}

type Outcome = Awaited<ReturnType<typeof outcomeOf>>;

/** Without the events of data in the sandbox, where a step brings so much that they are bundled differently each time. */
function comparable({ bundled }: Step, outcome: Outcome) {
  if (!bundled) return outcome;
  const others = (events: readonly string[] | undefined) =>
    events?.filter((event) => !/(data|score)\.updated/.test(event));
  const { sandbox, sandboxDeliveries, ...rest } = outcome;
  return { ...rest, sandbox: { ...sandbox, events: others(sandbox.events) }, listed: others(sandboxDeliveries.listed) };
}

/** Each message with how many of its arrow and kind come before it. */
function numbered(messages: readonly Message[]): Omit<Fault, 'fate'>[] {
  const seen = new Map<string, number>();
  return messages.map(({ arrow, kind }) => {
    const name = `${arrow} ${kind}`;
    const after = seen.get(name) ?? 0;
    seen.set(name, after + 1);
    return { arrow, kind, after };
  });
}
const isTick = ({ arrow }: { arrow: string }) => arrow.startsWith('schedule');

function worthAFault({ ticks = {}, long }: Step, messages: Omit<Fault, 'fate'>[]): Omit<Fault, 'fate'>[] {
  const others = messages.filter((message) => !isTick(message));
  const chosen = long
    ? others.filter(({ arrow }, at) => others.findIndex((each) => each.arrow === arrow) === at)
    : others;
  return [...chosen, ...messages.filter((message) => isTick(message) && ticks[message.arrow] === message.after)];
}

let { moment, who } = await beginJourney();
const history: Message[] = [];
const free: (Pick<Awaited<ReturnType<typeof runStep>>, 'outcome'> & {
  step: Step;
  moment: Moment;
  who: Travellers;
  sent: readonly Message[];
})[] = [];
for (const step of journey) {
  const run = await runStep(step, moment, who);
  free.push({ step, moment, who, outcome: run.outcome, sent: run.office.sent });
  history.push(...run.office.sent);
  moment = run.office.moment();
  who = run.who;
}
const arrowsInPeace = new Set(history.map(({ arrow }) => arrow));
const tried = new Set<string>();

describe.each(free)('when $step.name', ({ step, moment, who, outcome, sent }) => {
  const messages = worthAFault(step, numbered(sent));
  const first = messages.find((message) => !isTick(message));

  /** Of the messages that only a fault brings about, the first of each arrow has its own. */
  async function holds(faults: Fault[]): Promise<void> {
    const run = await runStep(step, moment, who, faults);
    expect(comparable(step, run.outcome)).toEqual(comparable(step, outcome));
    for (const { arrow } of faults) tried.add(arrow);
    for (const message of numbered(run.office.sent)) {
      if (arrowsInPeace.has(message.arrow) || tried.has(message.arrow)) continue;
      for (const fate of fates) await holds([...faults, { ...message, fate }]);
    }
  }

  test('without faults everything is told once, in order, to everybody, and nothing is owed in the end', () => {
    for (const env of [outcome.live, outcome.sandbox])
      expect(env).toMatchObject({ gapless: true, once: true, undelivered: [], unheardOf: [] });
    expect([outcome.owed, outcome.deadLetters, outcome.leftovers.flat()]).toEqual([[], [], []]);
  });

  test.each(messages)('$arrow ($kind, $after before it): lost, doubled or late, it ends the same', async (message) => {
    // A tick has something to find only where something was lost.
    const lost = isTick(message) && first ? [{ ...first, fate: 'drop' as const }] : [];
    for (const fate of fates) await holds([...lost, { ...message, fate }]);
  });
});

test('the journey is worth it: there are days, scores and deliveries, and the deleted user has one receipt', () => {
  const after = (name: string) => free.find(({ step }) => step.name === name)?.outcome;
  const disconnected = after('a device is disconnected');
  expect(disconnected?.user?.days.steps).toEqual([null, null, null, 7_000, 8_000, 9_000, null]);
  expect(JSON.stringify(disconnected?.user?.scores)).toContain('"value":');
  expect(after('a sandbox user comes')?.sandboxUser?.devices).toHaveLength(2);
  expect(after('the person joins')).toMatchObject({
    team: ['active somebody@example.com'],
    mails: ['somebody@example.com a journey invites you to its team on Daybook'],
  });
  const end = free.at(-1)?.outcome;
  expect(end?.team).toEqual([]);
  expect(end?.live.events.filter((event) => event.includes('user.deleted'))).toHaveLength(1);
  expect([end?.leftovers, end?.liveDeliveries]).toEqual([[[], []], { rows: 0, listed: undefined }]);
  expect(end?.sandboxDeliveries.rows).toBe(end?.sandbox.events.length);
});

test('every message of the journey, once more at its end, changes nothing', async () => {
  const office = openPostOffice(moment);
  office.repeat(history);
  await office.pass(minutesAfterLate);
  expect(await outcomeOf(office, who)).toEqual(free.at(-1)?.outcome);
});

test('every arrow of the map has had its faults', () => {
  expect([...tried].sort()).toEqual([...everyArrow].sort());
});
