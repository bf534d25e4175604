# frozen_string_literal: true

# Runs docs/verify/verify.rb: `vectors FILE` prints a line for each vector, `serve` prints an address and serves.

require 'json'
require 'socket'
require 'stringio'
require_relative '../../../../docs/verify/verify'

$stderr = File.open(File::NULL, 'w')

def headers_of(vector)
  vector['headers'].each_with_object({}) do |(name, value), headers|
    known = headers.keys.find { |each| each.casecmp?(name) } || name
    headers[known] = headers.key?(known) ? "#{headers[known]}, #{value}" : value
  end
end

def verdict_of(vector, headers, body)
  event = Webhooks.verify(vector['secrets'], headers, body, vector['now'])
  event['id'] == vector['event']['id'] ? 'accepted' : 'accepted another event'
rescue Webhooks::Refused => refused
  refused.message
end

# One attempt that fails, during which another one arrives; one that succeeds; and one more.
def line(vector)
  headers = headers_of(vector)
  # As Rack gives it: bytes without an encoding.
  body = (vector['body'] || [vector['body_hex']].pack('H*')).b
  seen = Webhooks::Seen.new
  works = 0
  meanwhile = '-'
  arrive = ->(work) { Webhooks.receive(vector['secrets'], seen, work, headers, body, vector['now']) }
  succeed = ->(_event) { works += 1 }
  fail = lambda do |_event|
    works += 1
    meanwhile = arrive.call(succeed)
    raise 'failed'
  end
  statuses = [arrive.call(fail), arrive.call(succeed), arrive.call(succeed)]
  "#{verdict_of(vector, headers, body)} #{meanwhile} #{statuses.join(',')} #{works}"
end

# As much of a server as a Rack application needs; Ruby brings none along.
def serve(client, application)
  env = { 'REQUEST_METHOD' => client.gets.split.first }
  while (header = client.gets&.chomp) && !header.empty?
    name, value = header.split(': ', 2)
    env["HTTP_#{name.upcase.tr('-', '_')}"] = value
  end
  env['rack.input'] = StringIO.new(client.read(env['HTTP_CONTENT_LENGTH'].to_i) || '')
  client.write("HTTP/1.1 #{application.call(env).first} -\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
rescue SystemCallError
  nil # the caller hung up
ensure
  client.close
end

if ARGV[0] == 'vectors'
  JSON.parse(File.read(ARGV[1], encoding: 'UTF-8'))['vectors'].each { |vector| puts line(vector) }
else
  $stdout.sync = true
  work = ->(event) { puts event['id'] }
  application = Webhooks.application([ENV['SVC_WEBHOOK_SECRET'].to_s], Webhooks::Seen.new, work)
  server = TCPServer.new('127.0.0.1', 0)
  puts "http://127.0.0.1:#{server.addr[1]}/hooks"
  loop { serve(server.accept, application) }
end
