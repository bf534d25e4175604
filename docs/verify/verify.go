// Package webhooks receives signed webhooks with nothing but Go's standard library (Go 1.19 or later).
package webhooks

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"log"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

const (
	tolerance   = 300       // seconds
	largestBody = 64 * 1024 // bytes
)

var (
	secretForm    = regexp.MustCompile(`^whsec_[0-9A-Za-z_-]+$`)
	signatureForm = regexp.MustCompile(`^t=([0-9]{1,15}),sha256=([0-9a-fA-F]{64})$`)
)

// Refused says why a request is not to be trusted.
type Refused string

func (reason Refused) Error() string { return string(reason) }

// Event is the body of a notification.
type Event map[string]any

// Verify gives the event of a genuine notification. The body is the exact bytes that arrived.
func Verify(secrets []string, header http.Header, body []byte, now time.Time) (Event, error) {
	// Every sender can sign with an empty secret: a variable that was never set must not pass.
	if len(secrets) == 0 {
		return nil, Refused("no_usable_secret")
	}
	for _, secret := range secrets {
		if !secretForm.MatchString(secret) {
			return nil, Refused("no_usable_secret")
		}
	}
	// Get would take the first of several.
	signatures, ids := header.Values("X-SVC-Webhook-Signature"), header.Values("X-SVC-Webhook-Id")
	if len(signatures) == 0 || len(ids) == 0 {
		return nil, Refused("missing_header")
	}

	parts := signatureForm.FindStringSubmatch(strings.Join(signatures, ", "))
	if parts == nil {
		return nil, Refused("malformed_header")
	}
	t, err := strconv.ParseInt(parts[1], 10, 64)
	if err != nil {
		return nil, Refused("malformed_header")
	}
	received, err := hex.DecodeString(parts[2])
	if err != nil {
		return nil, Refused("malformed_header")
	}
	if now.Unix()-t > tolerance {
		return nil, Refused("too_old")
	}
	if t-now.Unix() > tolerance {
		return nil, Refused("in_the_future")
	}

	matches := false
	for _, secret := range secrets {
		mac := hmac.New(sha256.New, []byte(secret))
		mac.Write([]byte(parts[1] + "."))
		mac.Write(body)
		matches = hmac.Equal(mac.Sum(nil), received) || matches
	}
	if !matches {
		return nil, Refused("no_secret_matched")
	}

	var event Event
	if !utf8.Valid(body) || json.Unmarshal(body, &event) != nil {
		return nil, Refused("malformed_body")
	}
	id, ok := event["id"].(string)
	if !ok {
		return nil, Refused("malformed_body")
	}
	if id != strings.Join(ids, ", ") {
		return nil, Refused("id_mismatch")
	}
	return event, nil
}

// Seen knows which events were worked on. With more than one process, or to remember across a restart: a table.
type Seen struct {
	mutex sync.Mutex
	done  map[string]bool // absent: new; false: being worked on
	order []string
}

// NewSeen remembers the last 100,000 events.
func NewSeen() *Seen { return &Seen{done: map[string]bool{}} }

func (seen *Seen) claim(id string) string {
	seen.mutex.Lock()
	defer seen.mutex.Unlock()
	done, known := seen.done[id]
	if done {
		return "repeat"
	}
	if known {
		return "busy"
	}
	seen.done[id] = false
	return "first"
}

func (seen *Seen) settle(id string, done bool) {
	seen.mutex.Lock()
	defer seen.mutex.Unlock()
	if !done {
		delete(seen.done, id)
		return
	}
	seen.done[id] = true
	seen.order = append(seen.order, id)
	if len(seen.order) > 100_000 {
		delete(seen.done, seen.order[0])
		seen.order = seen.order[1:]
	}
}

// Receive gives the status to answer: 200 once the work is done, now or before.
func Receive(secrets []string, seen *Seen, work func(Event) error, header http.Header, body []byte, now time.Time) int {
	event, err := Verify(secrets, header, body, now)
	if err != nil {
		log.Printf("webhook refused: %v", err)
		if err == Refused("no_usable_secret") {
			return http.StatusInternalServerError
		}
		return http.StatusBadRequest
	}
	id := event["id"].(string)
	switch seen.claim(id) {
	case "repeat":
		return http.StatusOK
	case "busy": // a 2xx would say that the event is safe before it is
		return http.StatusServiceUnavailable
	}
	done := false
	defer func() { seen.settle(id, done) }() // unless it is done, the next attempt works again
	if err := work(event); err != nil {
		log.Printf("webhook %s failed: %v", id, err)
		return http.StatusInternalServerError
	}
	done = true
	return http.StatusOK
}

// Handler receives webhooks over net/http.
func Handler(secrets []string, seen *Seen, work func(Event) error) http.Handler {
	return http.HandlerFunc(func(writer http.ResponseWriter, request *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(writer, request.Body, largestBody))
		if err != nil {
			writer.WriteHeader(http.StatusRequestEntityTooLarge)
			return
		}
		writer.WriteHeader(Receive(secrets, seen, work, request.Header, body, time.Now()))
	})
}
