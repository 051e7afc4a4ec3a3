import { connectWhileFed } from './connect-while-fed.ts';

connectWhileFed(11);
