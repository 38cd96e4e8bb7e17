import { tasksSuite } from './tasks.suite.ts'

tasksSuite('x11')
