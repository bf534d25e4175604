# frozen_string_literal: true

# Receives signed webhooks with nothing but Ruby's standard library (Ruby 2.7 or later).

require 'json'
require 'openssl'

module Webhooks
  TOLERANCE = 300 # seconds
  LARGEST_BODY = 64 * 1024 # bytes

  class Refused < StandardError; end

  # The event of a genuine notification. `headers` is a hash, `body` the exact bytes.
  def self.verify(secrets, headers, body, now = Time.now.to_i)
    # Every sender can sign with an empty secret: a variable that was never set must not pass.
    usable = !secrets.empty? && secrets.all? { |secret| /\Awhsec_[0-9A-Za-z_-]+\z/.match?(secret) }
    raise Refused, 'no_usable_secret' unless usable

    headers = headers.transform_keys(&:downcase)
    signature, id = headers.values_at('x-svc-webhook-signature', 'x-svc-webhook-id')
    raise Refused, 'missing_header' if signature.nil? || id.nil?

    # Not ^ and $, which let further lines pass.
    parts = /\At=([0-9]{1,15}),sha256=([0-9a-fA-F]{64})\z/.match(signature)
    raise Refused, 'malformed_header' unless parts

    t, received = parts[1], [parts[2]].pack('H*')
    raise Refused, 'too_old' if now - t.to_i > TOLERANCE
    raise Refused, 'in_the_future' if t.to_i - now > TOLERANCE

    signed = "#{t}.".b + body.b
    matching = secrets.map do |secret|
      OpenSSL.fixed_length_secure_compare(OpenSSL::HMAC.digest('SHA256', secret, signed), received)
    end
    raise Refused, 'no_secret_matched' if matching.none?

    event = parse(body)
    raise Refused, 'malformed_body' unless event.is_a?(Hash) && event['id'].is_a?(String)
    raise Refused, 'id_mismatch' if event['id'] != id

    event
  end

  def self.parse(body)
    text = body.dup.force_encoding(Encoding::UTF_8)
    text.valid_encoding? ? JSON.parse(text) : nil
  rescue JSON::ParserError
    nil
  end

  # Which events were worked on. With more than one process, or to remember across a restart: a table.
  class Seen
    def initialize(most = 100_000)
      @lock, @busy, @done, @most = Mutex.new, {}, {}, most
    end

    def claim(id)
      @lock.synchronize do
        next :repeat if @done.key?(id)
        next :busy if @busy.key?(id)

        @busy[id] = true
        :first
      end
    end

    def settle(id, done)
      @lock.synchronize do
        @busy.delete(id)
        @done[id] = true if done
        @done.shift if @done.size > @most
      end
    end
  end

  # The status to answer: 200 once the work is done, now or before.
  def self.receive(secrets, seen, work, headers, body, now = Time.now.to_i)
    event = verify(secrets, headers, body, now)
    case seen.claim(event['id'])
    when :repeat then 200
    when :busy then 503 # a 2xx would say that the event is safe before it is
    else attempt(seen, work, event)
    end
  rescue Refused => refused
    warn "webhook refused: #{refused.message}"
    refused.message == 'no_usable_secret' ? 500 : 400
  end

  def self.attempt(seen, work, event)
    done = false
    work.call(event)
    done = true
    200
  rescue StandardError => error
    warn "webhook #{event['id']} failed: #{error.message}"
    500
  ensure
    seen.settle(event['id'], done) # unless it is done, the next attempt works again
  end

  # A Rack application. In Rails the body is request.raw_post.
  def self.application(secrets, seen, work)
    lambda do |env|
      body = env['rack.input'].read(LARGEST_BODY + 1) || ''
      headers = env.select { |name, _| name.start_with?('HTTP_') }
                   .transform_keys { |name| name.delete_prefix('HTTP_').tr('_', '-') }
      status = body.bytesize > LARGEST_BODY ? 413 : receive(secrets, seen, work, headers, body)
      [status, {}, []]
    end
  end
end
