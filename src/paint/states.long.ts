import { shareOf } from '../../.ci/share.ts'
import { OTHER_LOOKS, testStates } from './states.suite.ts'

testStates(shareOf(OTHER_LOOKS))
