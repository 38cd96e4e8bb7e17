import { chaosSuite } from './chaos.suite.ts'

chaosSuite('x11')
