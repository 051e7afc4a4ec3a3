// All races there are: a new one is tried in every order, and with every death.
import type { Scenario } from '../interleavings.ts';
import { corrections } from './corrections.ts';
import { devices } from './devices.ts';
import { fills } from './fills.ts';
import { moves } from './moves.ts';
import { settings } from './settings.ts';
import { uploads } from './uploads.ts';

export const everyRace: readonly Scenario[] = [...corrections, ...moves, ...uploads, ...devices, ...settings, ...fills];

const thirds = ['first', 'second', 'third'] as const;

/** Neighbours are alike in what they cost, so each third has one of three. */
export const thirdOfRaces = (third: (typeof thirds)[number]): Scenario[] =>
  everyRace.filter((_race, at) => at % thirds.length === thirds.indexOf(third));
