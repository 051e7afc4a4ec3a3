// The formulas as the examples run them: from the slider values to a score and its factors, or to
// the reason why there is none.
import { along, loadPoints, logistic, standardScore, weightedScore } from './score-curves.js';

/** A test compares every result with the service's scorer. */
export function exampleScore(figures, id, given) {
  return notMadeFor(figures, id, given.age ?? null) ?? formulas[id](figures, given);
}

const without = (reason) => ({ status: 'missing', reason });
const calibrating = (figures, days) => ({ status: 'calibrating', days, needed: figures.baseline.least });

function notMadeFor({ ages }, id, age) {
  if (age === null) return undefined;
  if (id === 'sleep_score') return age < ages.sleepFrom ? { status: 'not_applicable', reason: 'under_1' } : undefined;
  return age < ages.adultFrom ? { status: 'not_applicable', reason: 'under_18' } : undefined;
}

const isOlder = ({ ages }, age) => age !== null && age >= ages.olderFrom;
const measured = (value, points) => (value === null ? null : { value, points: points(value) });

function sleepOf(figures, { age, main, naps, efficiency, latency, restorative }) {
  const { sleep } = figures;
  const asleep = main + naps;
  if (asleep < sleep.leastNightMinutes) return without('no_main_sleep');
  const need =
    age === null
      ? sleep.needOfUnknownAge
      : (sleep.needs.find(({ fromAge }) => age >= fromAge) ?? sleep.needOfUnknownAge);
  const older = isOlder(figures, age);
  const score = weightedScore(figures, 'sleep_score', {
    duration: measured(asleep, (minutes) => along(need.duration, minutes / 60)),
    efficiency: measured(efficiency, (percent) => along(sleep.efficiency, percent)),
    restorative: measured(restorative, (minutes) =>
      along(older ? sleep.olderRestorative : sleep.restorative, minutes / (60 * need.recommendedHours)),
    ),
    latency: measured(latency, (minutes) => along(older ? sleep.olderLatency : sleep.latency, minutes)),
  });
  return naps >= sleep.leastNightMinutes ? { ...score, confidence: 'low' } : score;
}

/** Returns null without a value or a baseline. */
function againstUsual(figures, { nights, spread, ...values }, measure) {
  const value = values[measure] ?? null;
  if (value === null || nights < figures.baseline.least) return null;
  const there = measure === 'variability' ? Math.log : (same) => same;
  const usual = figures.heart.usual[measure];
  const spreads = figures.heart.spreads[measure];
  const baseline = { mean: there(usual), deviation: (spread / 100) * spreads.prior, days: nights };
  return { value, usual, z: standardScore(figures, there(value), baseline, spreads), days: nights };
}

const judgedBy = (found, points) => found && { ...found, points: points(found.z) };

function recoveryOf(figures, given) {
  if (given.variability === null && given.rate === null) return without('no_data');
  if (given.nights < figures.baseline.least) return calibrating(figures, given.nights);
  const { recoveryCentre, mostUsefulVariability, heartWeight } = figures.heart;
  const curve = (z) => logistic(figures, z, recoveryCentre);
  const isAlone = given.variability === null || given.rate === null;
  return weightedScore(
    figures,
    'recovery_score',
    {
      heart_rate_variability: judgedBy(againstUsual(figures, given, 'variability'), (z) =>
        curve(Math.min(z, mostUsefulVariability)),
      ),
      resting_heart_rate: judgedBy(againstUsual(figures, given, 'rate'), (z) => curve(-z)),
      sleep: measured(given.sleep, (score) => score),
      respiratory_rate: judgedBy(againstUsual(figures, given, 'breathing'), (z) => curve(-Math.max(z, 0))),
    },
    isAlone ? { heart_rate_variability: heartWeight, resting_heart_rate: heartWeight } : {},
  );
}

function stressOf(figures, given) {
  if (given.variability === null) return without('no_data');
  if (given.nights < figures.baseline.least) return calibrating(figures, given.nights);
  const { stressCentre } = figures.heart;
  return weightedScore(figures, 'stress_score', {
    heart_rate_variability: judgedBy(againstUsual(figures, given, 'variability'), (z) =>
      logistic(figures, -z, stressCentre),
    ),
    resting_heart_rate: judgedBy(againstUsual(figures, given, 'rate'), (z) => logistic(figures, z, stressCentre)),
  });
}

function strainOf(figures, given) {
  const { leastWorn, leastUsualLoad } = figures.strain;
  if (given.energy === null && given.exercise === null && given.steps === null) return without('no_data');
  const isWorn = (energy, exercise, steps) =>
    steps >= leastWorn.steps || energy >= leastWorn.active_calories || exercise >= 1;
  if (!isWorn(given.energy, given.exercise, given.steps)) return without('not_worn');
  const then = (today, usual) => (today === null ? null : usual);
  const days = isWorn(
    then(given.energy, given.energy_usual),
    then(given.exercise, given.exercise_usual),
    then(given.steps, given.steps_usual),
  )
    ? given.days
    : 0;
  if (days < figures.baseline.least) return calibrating(figures, days);
  const load = (value, usual, least) =>
    value === null ? null : { value, usual, days, points: loadPoints(value / Math.max(usual, least)) };
  return weightedScore(figures, 'strain_score', {
    active_energy: load(given.energy, given.energy_usual, leastUsualLoad.active_calories),
    exercise: load(given.exercise, given.exercise_usual, leastUsualLoad.exercise),
    steps: load(given.steps, given.steps_usual, leastUsualLoad.steps),
  });
}

function nutritionOf(figures, given) {
  const { nutrition } = figures;
  const { age, weight, height, eaten, spent } = given;
  if (eaten <= 0) return without('no_data');
  const { share, kcal } = nutrition.leastLogged;
  const isKnown = spent !== null && spent >= kcal;
  if (eaten < Math.max(kcal, share * (spent ?? 0))) return without('log_incomplete');
  const { min, perThousandKcal, max } = nutrition.fiberNeed;
  const fiberTarget = Math.min(max, Math.max(min, (perThousandKcal * eaten) / 1000));
  const heaviest = height === null ? Infinity : nutrition.mostReferenceBodyMassIndex * (height / 100) ** 2;
  const perKilogram = (grams) => grams / Math.min(weight, heaviest);
  const proteinCurve = isOlder(figures, age) ? nutrition.olderProtein : nutrition.protein;
  const protein = weight === null ? null : measured(given.protein, (grams) => along(proteinCurve, perKilogram(grams)));
  const fiber = measured(given.fiber, (grams) => along(nutrition.fiber, grams / fiberTarget));
  if (protein === null && fiber === null) return without('too_few_nutrients');
  const isBalanceKnown = isKnown && given.days >= nutrition.balanceOver.minDays;
  const score = weightedScore(figures, 'nutrition_score', {
    energy_balance: isBalanceKnown
      ? { value: eaten, usual: spent, points: along(nutrition.balance, Math.abs(Math.log(eaten / spent))) }
      : null,
    protein,
    fiber,
    saturated_fat: measured(given.saturated_fat, (grams) => along(nutrition.saturatedFat, (900 * grams) / eaten)),
    sugar: measured(given.sugar, (grams) => along(nutrition.sugar, (400 * grams) / eaten)),
    sodium: measured(given.sodium, (milligrams) => along(nutrition.sodium, milligrams)),
  });
  return age === null && score.confidence === 'high' ? { ...score, confidence: 'medium' } : score;
}

function energyReserveOf(figures, { recovery, strain, yesterday, earlier }) {
  if (recovery === null) return without('no_data');
  if (strain === null) return without('no_strain');
  const fading = Math.exp(-1 / figures.fatigue.timeConstant);
  const felt = [];
  for (let back = 1; back <= figures.fatigue.days; back++) {
    const then = back === 1 ? yesterday : earlier;
    if (then !== null) felt.push({ then, weight: fading ** back });
  }
  const whole = felt.reduce((sum, { weight }) => sum + weight, 0);
  const before = felt.length === 0 ? null : felt.reduce((sum, { then, weight }) => sum + then * weight, 0) / whole;
  return weightedScore(figures, 'energy_reserve_score', {
    recovery: measured(recovery, (score) => score),
    effort_today: measured(strain, (score) => 100 - score),
    effort_before: measured(before, (score) => 100 - score),
  });
}

const formulas = {
  sleep_score: sleepOf,
  recovery_score: recoveryOf,
  strain_score: strainOf,
  nutrition_score: nutritionOf,
  stress_score: stressOf,
  energy_reserve_score: energyReserveOf,
};
