// The journey, step by step, with a fault in one message of a step at a time.
import { describe, expect, test } from 'vitest';
import { beginJourney, journey } from './journey.ts';
import { outcomeOf } from './outcome.ts';
import { type Fate, type Fault, type Message, type Moment, openPostOffice } from './post-office.ts';
import type { Step, Travellers } from './travellers.ts';

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

/**
 * Without the events of data in the sandbox, where a step brings so much that they are bundled
 * differently each time.
 */
function comparable({ bundled }: Step, outcome: Outcome) {
  if (!bundled) return outcome;
  const others = (events: readonly string[] | undefined) =>
    events?.filter((event) => !/(data|score)\.updated/.test(event));
  const { sandbox, sandboxDeliveries, ...rest } = outcome;
  return { ...rest, sandbox: { ...sandbox, events: others(sandbox.events) }, listed: others(sandboxDeliveries.listed) };
}

type Place = Omit<Fault, 'fate'>;

/** Each message with how many of its arrow and kind come before it. */
function numbered(messages: readonly Message[]): Place[] {
  const seen = new Map<string, number>();
  return messages.map(({ arrow, kind }) => {
    const name = `${arrow} ${kind}`;
    const after = seen.get(name) ?? 0;
    seen.set(name, after + 1);
    return { arrow, kind, after };
  });
}
const isTick = ({ arrow }: { arrow: string }) => arrow.startsWith('schedule');

function worthAFault({ ticks = {}, long }: Step, messages: Place[]): Place[] {
  const others = messages.filter((message) => !isTick(message));
  const chosen = long
    ? others.filter(({ arrow }, at) => others.findIndex((each) => each.arrow === arrow) === at)
    : others;
  return [...chosen, ...messages.filter((message) => isTick(message) && ticks[message.arrow] === message.after)];
}

interface FreeStep {
  step: Step;
  moment: Moment;
  who: Travellers;
  outcome: Outcome;
  messages: Place[];
}

async function travelFreely() {
  const steps: FreeStep[] = [];
  const history: Message[] = [];
  let { moment, who } = await beginJourney();
  for (const step of journey) {
    const { office, outcome, who: after } = await runStep(step, moment, who);
    steps.push({ step, moment, who, outcome, messages: worthAFault(step, numbered(office.sent)) });
    history.push(...office.sent);
    moment = office.moment();
    who = after;
  }
  return { steps, history, moment, who };
}

type FreeJourney = Awaited<ReturnType<typeof travelFreely>>;

/** Which messages meet with which fates: all with all of them, or the first of each arrow. */
export interface Faults {
  fates: readonly Fate[];
  each: 'message' | 'arrow';
}

/**
 * Defines the tests of every step. `tried` has the arrows that had a fault, once these have run.
 */
export async function tryFaults({ fates, each }: Faults): Promise<FreeJourney & { tried: ReadonlySet<string> }> {
  const free = await travelFreely();
  const arrowsInPeace = new Set(free.history.map(({ arrow }) => arrow));
  const tried = new Set<string>();
  const chosen = new Set<string>();
  const isChosen = ({ arrow }: Place): boolean => each === 'message' || (!chosen.has(arrow) && !!chosen.add(arrow));

  describe.each(free.steps)('when $step.name', ({ step, moment, who, outcome, messages }) => {
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

    test.each(messages.filter(isChosen))(
      `$arrow ($kind, $after before it): after any fate (${fates.join(', ')}) it ends the same`,
      async (message) => {
        // A tick has something to find only where something was lost.
        const lost = isTick(message) && first ? [{ ...first, fate: 'drop' as const }] : [];
        for (const fate of fates) await holds([...lost, { ...message, fate }]);
      },
    );
  });

  return { ...free, tried };
}

/** Every message of the journey, once more at its end, changes nothing. */
export async function repeatAll({ steps, history, moment, who }: FreeJourney): Promise<void> {
  const office = openPostOffice(moment);
  office.repeat(history);
  await office.pass(minutesAfterLate);
  expect(await outcomeOf(office, who)).toEqual(steps.at(-1)?.outcome);
}
