/** `--quick`: fewer processes and rounds, enough to detect large regressions. */
export const QUICK = process.argv.includes('--quick')

/** No subject starts after this time, so that the run ends in time: two minutes when quick, else ten. */
export const LAST_START_MS = (QUICK ? 75 : 480) * 1000
