import { describe, expect, test } from 'vitest';
import type { ScoreId } from '../../../shared/catalog/score-ids.ts';
import { scoreIds } from '../../../shared/catalog/score-ids.ts';
import { createScorer } from '../../../shared/scores/day-scores.ts';
import { dayOf } from './days.ts';
import { chartOf, isHighStress, meanOf, type ScoredYear, scoredYear, shareOf, valuesIn } from './scored-year.ts';
import { dateOf, daysOfTheYear, type SimulatedPerson } from './simulated-days.ts';
import {
  athlete,
  beginner,
  ill,
  illDays,
  improving,
  older,
  people,
  shiftWorker,
  sparse,
  steady,
  swapDay,
  swapper,
  traveller,
} from './simulated-people.ts';

const highStress = (year: ScoredYear): number => shareOf(valuesIn(year, 'stress_score'), isHighStress);
const factorOn = (year: ScoredYear, day: number, id: ScoreId, factor: string) =>
  year[day]?.scores.get(id)?.factors.find(({ name }) => name === factor);

/** Tries this share of all the years there are to try. */
export function testPeople(share: number): void {
  const known = new Map<string, ScoredYear>();
  const yearOf = (person: SimulatedPerson, seed: number): ScoredYear => {
    const name = JSON.stringify([person.name, person.habits, seed]);
    const year = known.get(name) ?? scoredYear(person, seed);
    // Only the first year of each person is used by several tests, and years are large.
    if (seed === 1) known.set(name, year);
    return year;
  };
  const yearsOf = (person: SimulatedPerson, all: number): ScoredYear[] =>
    Array.from({ length: Math.ceil(share * all) }, (_none, at) => yearOf(person, at + 1));

  describe('a steady person', () => {
    const years = yearsOf(steady, 50);
    test('has high stress on less than one day in ten, in every year', () => {
      for (const year of years) expect(highStress(year)).toBeLessThan(0.1);
      expect(meanOf(years.map(highStress))).toBeLessThan(0.07);
    });

    test('has usual days on average: neither recovery nor stress nor strain drifts', () => {
      for (const year of years) {
        expect(meanOf(valuesIn(year, 'recovery_score'))).toBeGreaterThan(64);
        expect(meanOf(valuesIn(year, 'recovery_score'))).toBeLessThan(76);
        expect(meanOf(valuesIn(year, 'stress_score'))).toBeGreaterThan(15);
        expect(meanOf(valuesIn(year, 'stress_score'))).toBeLessThan(30);
        expect(meanOf(valuesIn(year, 'strain_score'))).toBeGreaterThan(35);
        expect(meanOf(valuesIn(year, 'strain_score'))).toBeLessThan(55);
      }
    });

    test('has very low recovery, sleep and reserve on few days', () => {
      for (const id of ['recovery_score', 'sleep_score', 'energy_reserve_score'] as const)
        for (const year of years) expect(shareOf(valuesIn(year, id), (value) => value <= 20)).toBeLessThan(0.03);
    });

    test('has no more false alarms, however much the heart varies from day to day', () => {
      for (const variabilitySpread of share < 1 ? [0.06, 0.2] : [0.06, 0.08, 0.12, 0.16, 0.2])
        for (const rateSpread of share < 1 ? [1.5, 3] : [1.5, 2, 3]) {
          const restless = { ...steady, habits: { ...steady.habits, variabilitySpread, rateSpread } };
          const share = meanOf(yearsOf(restless, 4).map(highStress));
          expect(share, `${variabilitySpread} and ${rateSpread} bpm`).toBeLessThan(0.1);
        }
    });
  });

  test('no simulated person has high stress on more than one day in eight', () => {
    for (const person of people)
      for (const year of yearsOf(person, 5)) expect(highStress(year), person.name).toBeLessThan(0.125);
  });

  test('a week of fever is visible: no other week has so little recovery or so much stress', () => {
    for (const year of yearsOf(ill, 20)) {
      const weeksMean = (id: ScoreId, day: number) => meanOf(valuesIn(year.slice(day, day + 7), id));
      const others = Array.from({ length: daysOfTheYear - 7 }, (_none, day) => day).filter(
        (day) => day + 6 < illDays.from || day > illDays.to + 3,
      );
      const [recovery, stress] = [weeksMean('recovery_score', illDays.from), weeksMean('stress_score', illDays.from)];
      expect(recovery).toBeLessThan(
        Math.min(...others.map((day) => weeksMean('recovery_score', day)).filter(Number.isFinite)),
      );
      expect(stress).toBeGreaterThan(
        Math.max(...others.map((day) => weeksMean('stress_score', day)).filter(Number.isFinite)),
      );
      expect(stress).toBeGreaterThan(60);
      expect(valuesIn(year.slice(illDays.from, illDays.from + 2), 'stress_score').every(isHighStress)).toBe(true);
    }
  });

  test('a person who becomes fitter rarely has high stress, and the usual values follow', () => {
    for (const year of yearsOf(improving, 10)) {
      expect(highStress(year)).toBeLessThan(0.1);
      const usualIn = (from: number, factor: string) =>
        meanOf(
          year
            .slice(from, from + 28)
            .flatMap((_day, at) => factorOn(year, from + at, 'recovery_score', factor)?.usual ?? []),
        );
      expect(usualIn(337, 'heart_rate_variability')).toBeGreaterThan(1.12 * usualIn(0, 'heart_rate_variability'));
      expect(usualIn(337, 'resting_heart_rate')).toBeLessThan(usualIn(0, 'resting_heart_rate') - 4);
    }
  });

  describe('a new device', () => {
    const years = yearsOf(swapper, 20);
    test('calibrates for five days, counted one by one, and then has scores', () => {
      for (const year of years)
        for (const id of ['recovery_score', 'stress_score', 'strain_score', 'energy_reserve_score'] as const) {
          for (let days = 0; days < 5; days++)
            expect(year[swapDay + days]?.without.get(id)).toEqual({ status: 'calibrating', days, needed: 5 });
          for (let day = swapDay + 5; day < swapDay + 28; day++) expect(year[day]?.scores.has(id)).toBe(true);
        }
    });

    test('is never compared with the previous one, and causes no jump', () => {
      let compared = 0;
      for (const year of years) {
        for (let day = swapDay + 5; day < swapDay + 40; day++) {
          if (!year[day]?.scores.has('recovery_score')) continue;
          compared++;
          expect(factorOn(year, day, 'recovery_score', 'heart_rate_variability')?.usual).toBeGreaterThan(59);
        }
        const [before, after] = [year.slice(swapDay - 40, swapDay), year.slice(swapDay, swapDay + 40)];
        for (const id of ['recovery_score', 'stress_score', 'strain_score'] as const)
          expect(Math.abs(meanOf(valuesIn(after, id)) - meanOf(valuesIn(before, id))), id).toBeLessThan(12);
      }
      expect(compared).toBeGreaterThan(years.length * 30);
    });

    // Only over many years does the random variation of single years cancel out.
    if (share === 1)
      test('moves recovery by less than two points on average', () => {
        const jumps = years.map((year) => {
          const mean = (from: number) => meanOf(valuesIn(year.slice(from, from + 40), 'recovery_score'));
          return mean(swapDay) - mean(swapDay - 40);
        });
        expect(Math.abs(meanOf(jumps))).toBeLessThan(2);
      });
  });

  test('high variability is not a bonus: an athlete recovers like everyone else', () => {
    const [ofAthletes, ofOthers] = [yearsOf(athlete, 10), yearsOf(steady, 10)];
    for (const year of ofAthletes)
      for (let day = 0; day < daysOfTheYear; day++)
        expect(factorOn(year, day, 'recovery_score', 'heart_rate_variability')?.points ?? 0).toBeLessThan(92.76);
    const withoutNights = (years: ScoredYear[]) =>
      meanOf(
        years.flatMap((year) =>
          year.flatMap((_day, at) => factorOn(year, at, 'recovery_score', 'heart_rate_variability')?.points ?? []),
        ),
      );
    expect(Math.abs(withoutNights(ofAthletes) - withoutNights(ofOthers))).toBeLessThan(3);
  });

  describe('with unusual sleeping hours,', () => {
    test.each([shiftWorker, traveller])(
      'a $name has scores on every worn day, and low confidence where a date had two nights',
      (person) => {
        for (const year of yearsOf(person, 10)) {
          const worn = year.filter(({ without }) => without.get('recovery_score')?.status !== 'missing');
          expect(worn.length).toBeGreaterThan(335);
          for (const { scores } of worn) expect(scores.has('sleep_score') && scores.has('recovery_score')).toBe(true);
          const unsure = shareOf(worn, ({ scores }) => scores.get('sleep_score')?.confidence === 'low');
          expect(unsure).toBeGreaterThan(0.03);
          expect(unsure).toBeLessThan(0.12);
          expect(shareOf(valuesIn(year, 'recovery_score'), (value) => value <= 20)).toBeLessThan(0.05);
        }
      },
    );

    test('clock changes skip no day and count none twice', () => {
      const always = { resting_heart_rate: 58, sleep_heart_rate_variability: 50, steps: 8000, asleep: 450 };
      const days = new Map(Array.from({ length: 420 }, (_none, at) => [dateOf(at - 50), dayOf(always)]));
      const home = process.env['TZ'];
      try {
        for (const zone of ['Europe/Berlin', 'America/Santiago', 'Australia/Lord_Howe', 'Pacific/Apia']) {
          process.env['TZ'] = zone;
          const { scoreDay: on } = createScorer(days, {});
          const first = on(dateOf(0)).scores;
          expect(first.get('recovery_score')?.factors[0]?.days).toBe(28);
          for (let day = 0; day < daysOfTheYear; day++)
            expect(on(dateOf(day)).scores, `${dateOf(day)} ${zone}`).toEqual(first);
        }
      } finally {
        if (home === undefined) delete process.env['TZ'];
        else process.env['TZ'] = home;
      }
    });
  });

  test('a person who rarely wears the device is shown as calibrating, and hardly ever with high confidence', () => {
    for (const year of yearsOf(sparse, 10))
      for (const id of ['recovery_score', 'stress_score', 'strain_score'] as const) {
        expect(valuesIn(year, id).length).toBeGreaterThan(25);
        expect(valuesIn(year, id).length).toBeLessThan(150);
        expect(year.some(({ without }) => without.get(id)?.status === 'calibrating')).toBe(true);
        expect(shareOf(year, ({ scores }) => scores.get(id)?.confidence === 'high')).toBeLessThan(0.02);
      }
  });

  test('an older person sleeps as well as the advice for their age expects', () => {
    for (const year of yearsOf(older, 10)) {
      expect(meanOf(valuesIn(year, 'sleep_score'))).toBeGreaterThan(75);
      expect(highStress(year)).toBeLessThan(0.1);
    }
  });

  test('a new user counts from 0 to 4 days, then has a score of low, medium and high confidence', () => {
    for (const year of yearsOf(beginner, 10)) {
      const outcomes = year.slice(0, 20).map(({ scores, without }) => {
        const none = without.get('recovery_score');
        return none?.status === 'calibrating' ? none.days : (scores.get('recovery_score')?.confidence ?? none);
      });
      expect(outcomes).toEqual([
        ...[0, 1, 2, 3, 4],
        ...Array.from({ length: 2 }, () => 'low'),
        ...Array.from({ length: 7 }, () => 'medium'),
        ...Array.from({ length: 6 }, () => 'high'),
      ]);
      expect(year[0]?.scores.has('sleep_score')).toBe(true);
    }
  });

  test('the chart has a line for every score of every person', () => {
    const lines = chartOf(people, 1, yearOf).split('\n');
    expect(lines).toHaveLength(2 + people.length * (1 + scoreIds.length));
    for (const { name } of people) expect(lines).toContain(name);
  });
}
