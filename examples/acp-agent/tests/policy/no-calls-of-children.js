// A budget that is spent: a child exists, and its log too, but it never gets to ask the model.
export const name = 'no-calls-of-children'

export function apply(ctx) {
  ctx.on('agent/request', (_request, session, next) => {
    if (session.header.parentSession !== undefined)
      throw new Error('children may not call the model')
    return next()
  })
}
