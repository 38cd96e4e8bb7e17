import { shareOf } from '../../.ci/share.ts'
import { OTHER_THEMES, testStates } from './states.suite.ts'

testStates(shareOf(OTHER_THEMES))
