import { LIGHT_THEMES, testStates } from './states.suite.ts'

testStates(LIGHT_THEMES)
