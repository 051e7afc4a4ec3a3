// What a user eats and drinks on a date: meals whose total follows the energy that the date burns.
import type { DayPlan } from './day-plan.ts';
import { illnessOn, mealLogOn } from './scenario.ts';
import { createSeededRandom } from './seeded-random.ts';
import type { SimulatedUser } from './simulated-user.ts';

export interface Meal {
  atMs: number;
  dietary_energy: number;
  protein: number;
  carbohydrates: number;
  fat: number;
  saturated_fat: number;
  fiber: number;
  sugar: number;
  sodium: number;
  cholesterol: number;
  caffeine: number;
  water: number;
}
export type Nutrient = Exclude<keyof Meal, 'atMs'>;

export const nutrientUnits: Readonly<Record<Nutrient, string>> = {
  dietary_energy: 'kcal',
  protein: 'g',
  carbohydrates: 'g',
  fat: 'g',
  saturated_fat: 'g',
  fiber: 'g',
  sugar: 'g',
  sodium: 'mg',
  cholesterol: 'mg',
  caffeine: 'mg',
  water: 'mL',
};

/** Hours after getting up on a day with 16 waking hours, and the share of the day's energy. */
const meals = [
  { name: 'breakfast', afterHours: 0.75, share: 0.24, caffeine: 95 },
  { name: 'lunch', afterHours: 5, share: 0.32, caffeine: 60 },
  { name: 'snack', afterHours: 8, share: 0.1, caffeine: 0 },
  { name: 'dinner', afterHours: 11.5, share: 0.34, caffeine: 0 },
] as const;

/** The meals that the user logs. */
export function listLoggedMeals(user: SimulatedUser, plan: DayPlan, spentKcal: number): Meal[] {
  const log = mealLogOn(user, plan.date);
  return planMeals(user, plan, spentKcal).filter((_meal, at) => log === 'everything' || meals[at]?.name === log);
}

function planMeals(user: SimulatedUser, plan: DayPlan, spentKcal: number): Meal[] {
  const random = createSeededRandom(user.lifeSeed, 'meals', plan.date);
  const appetite = random.normal(0.98, 0.06) * (1 - 0.35 * illnessOn(user, plan.date));
  const wakeMs = Math.max(plan.startMs, plan.night.endMs);
  const wakingHours = Math.min(16, (plan.bedMs - wakeMs) / 3_600_000);
  return meals.map(({ afterHours, share, caffeine }) => {
    const atMs = wakeMs + Math.round((60 * random.normal(afterHours, 0.2) * wakingHours) / 16) * 60_000;
    const kcal = spentKcal * appetite * share * random.uniform(0.9, 1.1);
    const protein = (kcal * random.uniform(0.16, 0.21)) / 4;
    const fat = (kcal * random.uniform(0.29, 0.36)) / 9;
    const carbohydrates = (kcal - 4 * protein - 9 * fat) / 4;
    const meal: Meal = {
      atMs,
      dietary_energy: 0,
      protein: roundToTenth(protein),
      carbohydrates: roundToTenth(carbohydrates),
      fat: roundToTenth(fat),
      saturated_fat: roundToTenth(fat * random.uniform(0.26, 0.36)),
      fiber: roundToTenth(carbohydrates * random.uniform(0.09, 0.13)),
      sugar: roundToTenth(carbohydrates * random.uniform(0.24, 0.36)),
      sodium: Math.round(kcal * random.uniform(0.8, 1.15)),
      cholesterol: Math.round(kcal * random.uniform(0.08, 0.15)),
      caffeine: Math.round(caffeine * random.uniform(0.7, 1.2)),
      water: Math.round(random.uniform(350, 620)),
    };
    meal.dietary_energy = Math.round(4 * meal.protein + 4 * meal.carbohydrates + 9 * meal.fat);
    return meal;
  });
}

const roundToTenth = (grams: number): number => Math.round(grams * 10) / 10;
