import * as z from 'zod'

/** How many problems of one value are named; a list of a hundred thousand wrong items has as many. */
export const MAX_LISTED_ISSUES = 20

/** Names what does not fit a schema, one line per problem, and how many more there are. */
export function describeIssues({ issues }: z.ZodError): string {
  const text = z.prettifyError(new z.ZodError(issues.slice(0, MAX_LISTED_ISSUES)))
  return issues.length > MAX_LISTED_ISSUES ? `${text}\nand ${issues.length - MAX_LISTED_ISSUES} more problems` : text
}
