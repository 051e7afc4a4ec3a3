// Everything that may meet the person's writer: a new scenario is tried in every order, with every death and with a zombie.
import type { Scenario } from '../race.ts';
import { corrections } from './corrections.ts';
import { devices } from './devices.ts';
import { fills } from './fills.ts';
import { moves } from './moves.ts';
import { settings } from './settings.ts';
import { uploads } from './uploads.ts';

export const everyRace: readonly Scenario[] = [...corrections, ...moves, ...uploads, ...devices, ...settings, ...fills];
