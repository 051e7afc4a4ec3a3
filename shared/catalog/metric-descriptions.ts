// Describes each metric and score in a sentence or two, for the catalog only: no other function
// bundles these texts.
import type { MetricRow } from './metric-table.ts';
import type { MetricId } from './metrics.ts';
import type { ScoreId } from './score-ids.ts';

const measurementTexts: Readonly<Record<MetricId, string>> = {
  steps: 'Steps taken, walking or running.',
  distance: 'Distance covered in the day as counted by the device, mostly on foot.',
  exercise: 'Minutes of activity that the device counts as exercise, usually of moderate or higher intensity.',
  flights_climbed: 'Flights of stairs climbed, about three meters of ascent each.',
  stand_time: 'Minutes spent standing or moving around.',
  stand_hours: 'Hours of the day in which the user stood up and moved.',
  mindfulness: 'Minutes of meditation, breathing exercises and other mindful sessions.',
  walking: 'Distance walked outdoors, hikes included.',
  indoor_walking: 'Distance walked on a treadmill or elsewhere indoors.',
  running: 'Distance run outdoors.',
  indoor_running: 'Distance run on a treadmill or elsewhere indoors.',
  cycling: 'Distance cycled outdoors, e-bikes included.',
  indoor_cycling: 'Distance cycled on a stationary bike or a trainer.',
  swimming: 'Distance swum, in pools and in open water.',

  asleep: 'Minutes asleep, in all stages.',
  longest_sleep: 'Minutes asleep in the longest sleep session of the day, whether a night or a nap.',
  time_in_bed: 'Minutes in bed, asleep or awake.',
  time_awake: 'Minutes awake during the night, between going to bed and getting up.',
  light_sleep: 'Minutes of light sleep.',
  deep_sleep: 'Minutes of deep (slow-wave) sleep.',
  rem_sleep: 'Minutes of REM sleep.',
  restorative_sleep: 'Minutes of deep and REM sleep together.',
  sleep_latency: 'Minutes it took to fall asleep.',
  sleep_efficiency: 'The share of the time in bed that was spent asleep.',
  sleep_heart_rate: 'Average heart rate during sleep.',
  sleep_heart_rate_variability:
    'Heart rate variability during sleep as RMSSD, the root mean square of successive differences between heartbeats.',
  sleep_respiratory_rate: 'Breaths per minute during sleep.',
  sleep_blood_oxygen: 'Average oxygen saturation of the blood during sleep.',
  sleep_body_temperature: 'Body temperature during sleep; deviations from a personal baseline are not included.',
  sleep_skin_temperature: 'Skin temperature during sleep; deviations from a personal baseline are not included.',
  sleep_wrist_temperature: 'Temperature at the wrist during sleep; deviations from a baseline are not included.',

  heart_rate: 'Heart rate through the day, at rest and in motion.',
  resting_heart_rate: 'Heart rate at rest, as the device determines it.',
  min_heart_rate: 'The lowest heart rate of the day.',
  max_heart_rate: 'The highest heart rate of the day.',
  walking_heart_rate: 'Average heart rate while walking at a steady pace.',
  heart_rate_variability:
    'Heart rate variability as SDNN, the standard deviation of the time between heartbeats; never mixed with RMSSD.',
  heart_rate_variability_rmssd:
    'Heart rate variability as RMSSD, the root mean square of successive differences between heartbeats; never mixed with SDNN.',
  respiratory_rate: 'Breaths per minute, awake or asleep.',
  blood_oxygen: 'Oxygen saturation of the blood.',
  body_temperature: 'Body temperature.',
  skin_temperature: 'Temperature of the skin.',
  blood_pressure_systolic: 'Systolic blood pressure, the upper number of a reading.',
  blood_pressure_diastolic: 'Diastolic blood pressure, the lower number of a reading.',
  blood_glucose: 'Glucose in the blood, from a glucose monitor or a meter.',
  vo2_max: 'Maximal oxygen uptake, usually estimated by the device from heart rate and pace.',

  weight: 'Body weight.',
  lean_body_mass: 'Body mass excluding fat.',
  fat_mass: 'Mass of body fat.',
  muscle_mass: 'Mass of muscle.',
  bone_mass: 'Mass of bone.',
  body_fat_percentage: 'Fat as a share of body weight.',
  body_water_percentage: 'Water as a share of body weight.',
  body_mass_index: 'Weight divided by the square of height.',
  height: 'Body height.',
  waist_circumference: 'Circumference of the waist.',

  active_calories: 'Energy burned by moving and exercising, beyond what the body burns at rest.',
  resting_energy: 'Energy that the body burns at rest.',
  total_calories: 'All energy burned, active and at rest.',

  dietary_energy: 'Energy eaten and drunk.',
  protein: 'Protein eaten.',
  carbohydrates: 'Carbohydrates eaten.',
  fat: 'Fat eaten, of all types.',
  saturated_fat: 'Saturated fat eaten.',
  fiber: 'Dietary fiber eaten.',
  sugar: 'Sugars eaten, natural and added.',
  sodium: 'Sodium eaten.',
  cholesterol: 'Cholesterol eaten.',
  caffeine: 'Caffeine consumed.',
  water: 'Water drunk.',
};

/** How the daily value is computed, for metrics whose table row does not say so. */
const specialDayTexts: Readonly<Partial<Record<MetricId, string>>> = {
  longest_sleep:
    'The daily value is that of the longest session ending on the day that reports its minutes asleep, from the device of `asleep`; any additional minutes in `asleep` are naps or a second night.',
  restorative_sleep: 'The daily value is `deep_sleep` plus `rem_sleep` of the day, which may come from two devices.',
  sleep_efficiency:
    "The daily value is that of the longest sleep session, always from one device as a whole; there is none if that session's minutes are unknown.",
};

const nightText =
  "The daily value is what the highest-ranked device reports for the night that ends on the day, or else the mean of that device's samples.";
const samePairText = '; both numbers of a day come from that device';

function describeDay({ id, accrues, aggregation, category, group }: MetricRow): string {
  const specialText = specialDayTexts[id];
  if (specialText !== undefined) return specialText;
  if (accrues)
    return 'The daily value adds up what was measured during the day, with each moment counted once, from the highest-ranked device that was measuring; a total that the highest-ranked device reports for the day takes precedence.';
  if (category === 'sleep')
    return group === 'sleep' && aggregation === 'sum'
      ? 'The daily value adds up the sleep sessions that end on the day, including naps, as reported by the device of `asleep` or, if it lacks this metric, by the next device; metrics of two devices need not add up.'
      : nightText;
  const suffix = group === 'blood_pressure' ? samePairText : '';
  switch (aggregation) {
    case 'sum':
      return "The daily value is the sum of the highest-ranked device's samples, or the total that this device reports.";
    case 'avg':
      return `The daily value is the mean of the highest-ranked device's samples, or the value that this device reports${suffix}.`;
    case 'min':
      return 'The daily value is the lowest value that the highest-ranked device reports.';
    case 'max':
      return 'The daily value is the highest value that the highest-ranked device reports.';
    case 'last':
      return 'The daily value is the last value that the highest-ranked device reports.';
  }
}

export const describeMetric = (row: MetricRow): string => `${measurementTexts[row.id]} ${describeDay(row)}`;

export const scoreDescriptions: Readonly<Record<ScoreId, string>> = {
  sleep_score:
    'How long and how soundly the user slept, compared with published recommendations for their age. Computed from the night that ends on the day. Higher is better.',
  recovery_score:
    "How last night's heart rate variability, resting heart rate, breathing and sleep compare with the user's own last four weeks. One value a day. Higher is better.",
  strain_score:
    "How active the day was in energy, exercise and steps, compared with the user's own last four weeks. It rises during the day. Neither high nor low is better.",
  nutrition_score:
    'How well the logged food follows published recommendations for adults. Computed from the day and the most recent logged days before it; provisional until the day is over. Higher is better.',
  stress_score:
    "How far heart rate variability and resting heart rate are from the user's own last four weeks; one value a day, lower is better. Stress levels that a device measures during the day are samples in the timeseries, and the daily score does not use them.",
  energy_reserve_score:
    "What remains of the day's recovery after the strain of today and of the days before. It falls during the day; higher is better. Only accounts on Form 1 have it.",
};
