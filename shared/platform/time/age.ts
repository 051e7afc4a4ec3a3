// How old somebody is.

/** Whole years on that day, below zero before the birth; both are `YYYY-MM-DD`. */
export function ageOn(dateOfBirth: string, date: string): number {
  const years = Number(date.slice(0, 4)) - Number(dateOfBirth.slice(0, 4));
  return date.slice(5) < dateOfBirth.slice(5) ? years - 1 : years;
}
