/** A plain Fastify route that returns the bytes it is started with: the baseline for reads. */
import { fastify } from 'fastify'

const [, , answer = '{}'] = process.argv
const server = fastify()
server.get('/', (_request, reply) => reply.type('application/json').send(answer))
console.log(`ready at ${await server.listen({ port: 0, host: '127.0.0.1' })}`)
