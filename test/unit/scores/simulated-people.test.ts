import { testPeople } from './test-simulated-people.ts';

testPeople(0.08);
