import recorded from './examples.json' with { type: 'json' }

/** Examples of successful answers, by `<service>.<operation> <status>`; recorded from tests by `npm run examples`. */
export const examples: Readonly<Record<string, unknown>> = recorded
