import { shareOf } from '../../.ci/share.ts'
import { proveTasks } from '../support/prove-applications.ts'

proveTasks(0, shareOf)
