// Polar's kinds of sport in our words: RUNNING_TRAIL is running, TREADMILL_RUNNING is indoors.
import { sportSlug } from '../sport-slug.ts';

const families: readonly (readonly [family: string, words: readonly string[]])[] = [
  ['running', ['RUNNING', 'JOGGING']],
  ['walking', ['WALKING', 'HIKING']],
  ['cycling', ['CYCLING', 'BIKING', 'SPINNING']],
  ['swimming', ['SWIMMING']],
];
const indoors = new Set(['INDOOR', 'TREADMILL', 'SPINNING']);

const wordsIn = (name: string): Set<string> => new Set(name.toUpperCase().split(/[^A-Z]+/));

/** The detailed name counts first, where it says which family it is of. */
export function polarSport(detailed: string | null | undefined, sport: string | null | undefined): string {
  const names = [detailed, sport].flatMap((name) => (name ? [name] : []));
  const found = names.flatMap((name) => {
    const words = wordsIn(name);
    return families.flatMap(([family, known]) => (known.some((word) => words.has(word)) ? [family] : []));
  });
  const [family] = found;
  if (!family) return names[0] ? sportSlug(names[0]) : 'other';
  const isIndoors = names.some((name) => [...wordsIn(name)].some((word) => indoors.has(word)));
  return isIndoors && family !== 'swimming' ? `indoor_${family}` : family;
}
