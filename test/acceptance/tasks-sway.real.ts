import { tasksSuite } from './tasks.suite.ts'

tasksSuite('sway')
