// What each metric and score is, in a sentence or two, for the catalog alone: no other function links these texts.
import type { MetricRow } from './metric-table.ts';
import type { MetricId } from './metrics.ts';
import type { ScoreId } from './score-ids.ts';

/** What is measured. */
const measurementTexts: Readonly<Record<MetricId, string>> = {
  steps: 'Steps taken, walking or running.',
  distance: 'Distance covered in the day as devices count it, mostly on foot.',
  exercise: 'Minutes of activity that the device counts as exercise, usually of moderate intensity and more.',
  flights_climbed: 'Flights of stairs climbed, about three metres of ascent each.',
  stand_time: 'Minutes spent standing or moving about.',
  stand_hours: 'Hours of the day in which the person stood up and moved.',
  mindfulness: 'Minutes of meditation, breathing exercises and other mindful sessions.',
  walking: 'Distance walked outdoors, hikes included.',
  indoor_walking: 'Distance walked on a treadmill or elsewhere indoors.',
  running: 'Distance run outdoors.',
  indoor_running: 'Distance run on a treadmill or elsewhere indoors.',
  cycling: 'Distance cycled outdoors, e-bikes included.',
  indoor_cycling: 'Distance cycled on a stationary bike or a trainer.',
  swimming: 'Distance swum, in pools and in open water.',

  asleep: 'Minutes asleep, in all stages.',
  longest_sleep: 'Minutes asleep in the longest sleep of the day, whether a night or a nap.',
  time_in_bed: 'Minutes in bed, asleep or awake.',
  time_awake: 'Minutes awake during the night, between going to bed and getting up.',
  light_sleep: 'Minutes of light sleep.',
  deep_sleep: 'Minutes of deep (slow-wave) sleep.',
  rem_sleep: 'Minutes of REM sleep.',
  restorative_sleep: 'Minutes of deep and REM sleep together.',
  sleep_latency: 'Minutes that falling asleep took.',
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
  lean_body_mass: 'Body mass without fat.',
  fat_mass: 'Mass of body fat.',
  muscle_mass: 'Mass of muscle.',
  bone_mass: 'Mass of bone.',
  body_fat_percentage: 'The share of fat in the body weight.',
  body_water_percentage: 'The share of water in the body weight.',
  body_mass_index: 'Weight divided by the square of the height.',
  height: 'Body height.',
  waist_circumference: 'Circumference of the waist.',

  active_calories: 'Energy burned by moving and exercising, beyond what the body burns at rest.',
  resting_energy: 'Energy that the body burns at rest.',
  total_calories: 'All energy burned, active and at rest.',

  dietary_energy: 'Energy eaten and drunk.',
  protein: 'Protein eaten.',
  carbohydrates: 'Carbohydrates eaten.',
  fat: 'Fat eaten, of all kinds.',
  saturated_fat: 'Saturated fat eaten.',
  fiber: 'Dietary fiber eaten.',
  sugar: 'Sugars eaten, natural and added.',
  sodium: 'Sodium eaten.',
  cholesterol: 'Cholesterol eaten.',
  caffeine: 'Caffeine taken in.',
  water: 'Water drunk.',
};

/** How a day is made of it, where its table row does not say so. */
const specialDayTexts: Readonly<Partial<Record<MetricId, string>>> = {
  longest_sleep:
    'Of the sessions that end on the day, the longest one that states its minutes asleep counts; what `asleep` has beyond it are other naps or a second night.',
  restorative_sleep: 'A day has it where both its deep and its REM sleep are known.',
  sleep_efficiency: "A day has that of its longest sleep; it has none where that sleep's minutes are unknown.",
};

const nightText =
  'A day has what the highest-ranked device states for the night that ends on it, or else the mean of its samples.';
const samePairText = ', and both numbers of a day come from that device';

function describeDay({ id, accrues, aggregation, category, group }: MetricRow): string {
  const specialText = specialDayTexts[id];
  if (specialText !== undefined) return specialText;
  if (accrues)
    return 'A day adds up what was measured on it, each moment once, by the highest-ranked device that was measuring; a total that the highest-ranked device states for the day comes first.';
  if (category === 'sleep')
    return group === 'sleep' && aggregation === 'sum'
      ? 'A day adds up the sleep sessions that end on it, naps included, as the highest-ranked device tells them.'
      : nightText;
  const suffix = group === 'blood_pressure' ? samePairText : '';
  switch (aggregation) {
    case 'sum':
      return 'A day adds up the samples of the highest-ranked device, or has the total which that device states.';
    case 'avg':
      return `A day has the mean of the samples of the highest-ranked device, or the value which that device states${suffix}.`;
    case 'min':
      return 'A day has the lowest value that the highest-ranked device reports.';
    case 'max':
      return 'A day has the highest value that the highest-ranked device reports.';
    case 'last':
      return 'A day has the last value that the highest-ranked device reports.';
  }
}

export const describeMetric = (row: MetricRow): string => `${measurementTexts[row.id]} ${describeDay(row)}`;

export const scoreDescriptions: Readonly<Record<ScoreId, string>> = {
  sleep_score:
    'How long and how soundly the person slept, compared with published advice for their age. Computed from the sleep of the night that ends on the day; higher is better.',
  recovery_score:
    "How last night's heart rate variability, resting heart rate, breathing and sleep compare with the person's own last four weeks. One value a day; higher is better.",
  strain_score:
    "How active the day was in energy, exercise and steps, compared with the person's own last four weeks. It grows while the day lasts; neither high nor low is better.",
  nutrition_score:
    'How well what was logged as eaten follows published advice for adults. Computed from the day and its last logged days, provisional until the day is over; higher is better.',
  stress_score:
    "How far heart rate variability and resting heart rate are from the person's own last four weeks; one value a day, lower is better. Stress levels that a device measures through the day are its samples in the timeseries, and the score of the day is not made of them.",
  energy_reserve_score:
    'What recovery leaves after the strain of today and of the days before. It falls while the day lasts; higher is better. Accounts on Form 1 have it.',
};
