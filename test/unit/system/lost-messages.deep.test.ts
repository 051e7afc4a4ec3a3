import { loseMessages } from './lost-messages.ts';

loseMessages(1);
