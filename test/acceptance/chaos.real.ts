import { startTestDesktop } from '../support/linux/test-desktop.ts'
import { chaosSuite } from './chaos.suite.ts'

chaosSuite('x11', { open: () => startTestDesktop({ session: 'x11' }) })
