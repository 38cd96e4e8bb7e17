import { LIGHT_LOOKS, testStates } from './states.suite.ts'

testStates(LIGHT_LOOKS)
