/** `--quick`: fewer processes and rounds, which tell whether something is far off. */
export const QUICK = process.argv.includes('--quick')

/** No subject begins later than this, so that the whole ends in time: two minutes when quick, else ten. */
export const LAST_START_MS = (QUICK ? 75 : 480) * 1000
