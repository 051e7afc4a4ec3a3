import { everyDeathDoesNoHarm } from '../../../harness/races/deep-races.ts';
import { thirdOfRaces } from '../../../harness/races/scenarios/every-race.ts';

everyDeathDoesNoHarm(thirdOfRaces('third'));
