// Runs the journey step by step, with a fault in one message of a step at a time.
import { describe, expect, test } from 'vitest';
import { beginJourney, journey } from './journey.ts';
import type { JourneyState, Step } from './journey-step.ts';
import { readOutcome } from './outcome.ts';
import { type Fate, type Message, type MessageFault, openSimulatedSystem, type Snapshot } from './simulated-system.ts';

/** Enough time to process the messages that arrived late. */
const minutesAfterRelease = 3;

async function runStep(step: Step, from: Snapshot, before: JourneyState, faults: readonly MessageFault[] = []) {
  const office = openSimulatedSystem(from, faults);
  const who = { ...before };
  await step.act(office, who);
  await office.passMinutes(step.minutes);
  if (faults.some(({ fate }) => fate === 'late')) {
    office.releaseLate();
    await office.passMinutes(minutesAfterRelease);
  }
  return { office, who, outcome: await readOutcome(office, who) };
}

type Outcome = Awaited<ReturnType<typeof readOutcome>>;

/**
 * Leaves out the data events of the sandbox for steps that produce so much data that the events are
 * bundled differently each time.
 */
function withoutUnstableEvents({ hasBundledEvents: bundled }: Step, outcome: Outcome) {
  if (!bundled) return outcome;
  const others = (events: readonly string[] | undefined) =>
    events?.filter((event) => !/(data|score)\.updated/.test(event));
  const { sandbox, sandboxDeliveries, ...rest } = outcome;
  return { ...rest, sandbox: { ...sandbox, events: others(sandbox.events) }, listed: others(sandboxDeliveries.listed) };
}

type FaultTarget = Omit<MessageFault, 'fate'>;

/** Each message with the number of preceding messages of the same edge and kind. */
function numberByKind(messages: readonly Message[]): FaultTarget[] {
  const seen = new Map<string, number>();
  return messages.map(({ edge, kind }) => {
    const name = `${edge} ${kind}`;
    const after = seen.get(name) ?? 0;
    seen.set(name, after + 1);
    return { edge: edge, kind, after };
  });
}
const isTick = ({ edge }: { edge: string }) => edge.startsWith('schedule');

function selectFaultTargets({ ticks = {}, isLong: long }: Step, messages: FaultTarget[]): FaultTarget[] {
  const others = messages.filter((message) => !isTick(message));
  const chosen = long ? others.filter(({ edge }, at) => others.findIndex((each) => each.edge === edge) === at) : others;
  return [...chosen, ...messages.filter((message) => isTick(message) && ticks[message.edge] === message.after)];
}

interface FaultFreeStep {
  step: Step;
  moment: Snapshot;
  who: JourneyState;
  outcome: Outcome;
  messages: FaultTarget[];
}

async function runWithoutFaults() {
  const steps: FaultFreeStep[] = [];
  const history: Message[] = [];
  let { moment, who } = await beginJourney();
  for (const step of journey) {
    const { office, outcome, who: after } = await runStep(step, moment, who);
    steps.push({ step, moment, who, outcome, messages: selectFaultTargets(step, numberByKind(office.sent)) });
    history.push(...office.sent);
    moment = office.snapshot();
    who = after;
  }
  return { steps, history, moment, who };
}

type FaultFreeRun = Awaited<ReturnType<typeof runWithoutFaults>>;

/** Which messages get which faults: every message, or only the first of each edge. */
export interface FaultPlan {
  fates: readonly Fate[];
  per: 'message' | 'edge';
}

/**
 * Defines the tests of every step. After they have run, `tried` contains the edges that had a
 * fault.
 */
export async function testFaults({
  fates,
  per: each,
}: FaultPlan): Promise<FaultFreeRun & { tried: ReadonlySet<string> }> {
  const faultFree = await runWithoutFaults();
  const edgesWithoutFaults = new Set(faultFree.history.map(({ edge }) => edge));
  const tried = new Set<string>();
  const chosen = new Set<string>();
  const isChosen = ({ edge }: FaultTarget): boolean => each === 'message' || (!chosen.has(edge) && !!chosen.add(edge));

  describe.each(faultFree.steps)('when $step.name', ({ step, moment, who, outcome, messages }) => {
    const first = messages.find((message) => !isTick(message));

    /** Messages that only occur because of a fault also get faults: the first of each edge. */
    async function expectSameOutcome(faults: MessageFault[]): Promise<void> {
      const run = await runStep(step, moment, who, faults);
      expect(withoutUnstableEvents(step, run.outcome)).toEqual(withoutUnstableEvents(step, outcome));
      for (const { edge } of faults) tried.add(edge);
      for (const message of numberByKind(run.office.sent)) {
        if (edgesWithoutFaults.has(message.edge) || tried.has(message.edge)) continue;
        for (const fate of fates) await expectSameOutcome([...faults, { ...message, fate }]);
      }
    }

    test('without faults, every event is delivered exactly once and in order, and no work is left pending', () => {
      for (const env of [outcome.live, outcome.sandbox])
        expect(env).toMatchObject({ gapless: true, once: true, undelivered: [], unheardOf: [] });
      expect([outcome.pendingWork, outcome.deadLetters, outcome.leftovers.flat()]).toEqual([[], [], []]);
    });

    test.each(messages.filter(isChosen))(
      `$edge ($kind, $after before it): the outcome is the same after any fault (${fates.join(', ')})`,
      async (message) => {
        // A schedule only has something to recover if a message was lost.
        const lost = isTick(message) && first ? [{ ...first, fate: 'drop' as const }] : [];
        for (const fate of fates) await expectSameOutcome([...lost, { ...message, fate }]);
      },
    );
  });

  return { ...faultFree, tried };
}

/** Redelivering every message at the end of the journey changes nothing. */
export async function redeliverAll({ steps, history, moment, who }: FaultFreeRun): Promise<void> {
  const office = openSimulatedSystem(moment);
  office.redeliver(history);
  await office.passMinutes(minutesAfterRelease);
  expect(await readOutcome(office, who)).toEqual(steps.at(-1)?.outcome);
}
