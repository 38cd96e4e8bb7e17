import { Command } from 'commander'
import { writeShardsInProcess } from '../../dataset/shard.ts'

/** `backlot dataset-worker`: a worker process of `backlot dataset`, which starts it. */
export const datasetWorkerCommand = (): Command =>
  new Command('dataset-worker')
    .description('Write shards for backlot dataset, which starts this itself.')
    .action(() => writeShardsInProcess())
